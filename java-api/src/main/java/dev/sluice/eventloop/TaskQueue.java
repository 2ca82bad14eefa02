package dev.sluice.eventloop;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What other threads want done by the loop thread, in the order they asked. */
final class TaskQueue {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();

    /** Before the task is there, so that the count is never too low to a loop that is about to wait. */
    void add(Runnable task) {
        size.incrementAndGet();
        tasks.add(task);
    }

    boolean isEmpty() {
        return size.get() == 0;
    }

    /** {@return how many tasks are there now: a loop that runs only these is not held up by tasks that add tasks} */
    int size() {
        return size.get();
    }

    /** {@return whether the task was still there} */
    boolean remove(Runnable task) {
        boolean removed = tasks.remove(task);
        if (removed) {
            size.decrementAndGet();
        }
        return removed;
    }

    Runnable poll() {
        Runnable task = tasks.poll();
        if (task != null) {
            size.decrementAndGet();
        }
        return task;
    }
}
