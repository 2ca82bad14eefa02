package dev.sluice.leaderfollowers;

import dev.sluice.hook.HookFailure;
import dev.sluice.trace.DispatchTrace;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What other threads want the threads of a pool to do. Any thread adds, and any number of them take tasks, which they
 * run at the same time: one that blocks keeps one thread busy, as a hook does.
 */
final class PendingTasks {

    private static final Logger LOG = LoggerFactory.getLogger(PendingTasks.class);

    private final Queue<Task> queue = new ConcurrentLinkedQueue<>();
    /** The number of the task that was added last. */
    private final AtomicLong last = new AtomicLong();
    /** Set before the queue is emptied one last time. */
    private volatile boolean ended;
    private volatile DispatchTrace trace;

    /** Has the tasks recorded. */
    void recordTo(DispatchTrace recording) {
        trace = recording;
    }

    /** {@return the task, which now waits for a thread} */
    Task add(Runnable work) {
        Task task = new Task(work, last.incrementAndGet());
        queue.add(task);
        return task;
    }

    /** {@return whether the task was still there} */
    boolean withdraw(Task task) {
        return queue.remove(task);
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** {@return the number up to which there are tasks by now} */
    long last() {
        return last.get();
    }

    /**
     * {@return the next task, null if there is none but those that came later} So that tasks that add tasks hold nobody
     * up.
     */
    PendingEvent poll(long number) {
        Task next = queue.peek();
        return next == null || next.number > number ? null : queue.poll();
    }

    /** {@return whether it depends on {@link #withdraw} if what has been added will be run} */
    boolean hasEnded() {
        return ended;
    }

    /** Runs what is there, in the calling thread. What is added from now on is not run, unless this still finds it. */
    void end() {
        ended = true;
        for (Task task = queue.poll(); task != null; task = queue.poll()) {
            task.process();
        }
    }

    /** One of them. */
    final class Task implements PendingEvent {

        private final Runnable work;
        private final long number;

        Task(Runnable work, long number) {
            this.work = work;
            this.number = number;
        }

        @Override
        public void process() {
            try {
                run();
            } catch (Throwable e) {
                // Including checked exceptions, which not every language declares.
                HookFailure.log(LOG, "a task failed: " + work.getClass().getName(), e);
            }
        }

        private void run() {
            DispatchTrace recording = trace;
            if (recording == null) {
                work.run();
                return;
            }
            recording.begin("run", work, null);
            try {
                work.run();
            } finally {
                recording.end();
            }
        }
    }
}
