package dev.sluice.benchmarks.wakeup;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** Tasks that one thread hands to a loop, and which have to be run in their order. Can be used again and again. */
final class NumberedTasks {

    private final Runnable[] tasks;
    // Of the loop's thread.
    private int ran;
    private boolean inOrder = true;

    private volatile Thread waiting;

    /**
     * Makes them.
     *
     * @param count the number
     */
    NumberedTasks(int count) {
        tasks = new Runnable[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            tasks[i] = () -> ran(number);
        }
    }

    private void ran(int number) {
        inOrder &= number == ran++;
        if (ran == tasks.length) {
            ran = 0;
            Thread poster = waiting;
            // Before it is woken, because it looks at once.
            waiting = null;
            LockSupport.unpark(poster);
        }
    }

    /**
     * Posts all of them, and waits until the last one has been run.
     *
     * @param loop runs them
     * @throws IllegalStateException if it did not run them in order
     */
    void run(Executor loop) {
        waiting = Thread.currentThread();
        for (Runnable task : tasks) {
            loop.execute(task);
        }
        while (waiting != null) {
            LockSupport.park(this);
        }
        if (!inOrder) {
            throw new IllegalStateException("the loop has not run the tasks in their order");
        }
    }
}
