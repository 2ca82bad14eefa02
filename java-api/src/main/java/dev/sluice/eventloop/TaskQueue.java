package dev.sluice.eventloop;

import dev.sluice.hook.HookFailure;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What other threads want the loop thread to do, in the order they asked. */
final class TaskQueue {

    private static final Logger LOG = LoggerFactory.getLogger(TaskQueue.class);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();

    /** Counts the task before adding it, so that a loop that is about to wait never sees too low a count. */
    void add(Runnable task) {
        size.incrementAndGet();
        tasks.add(task);
    }

    boolean isEmpty() {
        return size.get() == 0;
    }

    /** {@return whether the task was still there} */
    boolean remove(Runnable task) {
        boolean removed = tasks.remove(task);
        if (removed) {
            size.decrementAndGet();
        }
        return removed;
    }

    /**
     * Runs the tasks that are there now and no others, so that tasks that add tasks hold nobody up.
     *
     * @return how many were run
     */
    int run() {
        int count = 0;
        for (int left = size.get(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            size.decrementAndGet();
            count++;
            try {
                task.run();
            } catch (Throwable e) {
                // Including checked exceptions, which not every language declares.
                HookFailure.log(LOG, "a task failed: " + task.getClass().getName(), e);
            }
        }
        return count;
    }
}
