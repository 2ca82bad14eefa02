package dev.sluice.stages;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates platform threads that are daemons, named after the object that they serve. */
final class StageThreadFactory implements ThreadFactory {

    private final String name;
    private final AtomicInteger count = new AtomicInteger();

    StageThreadFactory(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name + " " + count.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
