package dev.sluice.eventloop;

import dev.sluice.hook.HookFailure;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What other threads want done by the loop thread, in the order they asked. */
final class TaskQueue {

    private static final Logger LOG = LoggerFactory.getLogger(TaskQueue.class);

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

    /** {@return whether the task was still there} */
    boolean remove(Runnable task) {
        boolean removed = tasks.remove(task);
        if (removed) {
            size.decrementAndGet();
        }
        return removed;
    }

    /**
     * Runs those that are there now, so that nobody is held up by tasks that add tasks.
     *
     * @return how many
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
                // Checked exceptions as well, which not every language declares.
                HookFailure.log(LOG, "a task failed: " + task.getClass().getName(), e);
            }
        }
        return count;
    }
}
