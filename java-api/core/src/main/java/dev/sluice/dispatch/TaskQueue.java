package dev.sluice.dispatch;

import dev.sluice.hook.HookFailure;
import dev.sluice.trace.DispatchTrace;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that threads have submitted, in their order. Any thread adds; one at a time takes, or any number under a lock.
 *
 * <p>The tasks lie in arrays, because a queue of nodes makes one for each task, and has the threads contend for the
 * last of them. No array is used twice, and places are numbered without end. So a thread that has taken a place fills
 * its own, however late: the one that runs tasks stops there, and retires the array only once it has passed all of its
 * places, and {@link #last} has.
 */
final class TaskQueue {

    private static final Logger LOG = LoggerFactory.getLogger(TaskQueue.class);

    /** Takes the place of a task that will not run. */
    private static final Runnable WITHDRAWN = () -> { };
    private static final BooleanSupplier ALWAYS = () -> true;

    // Each count is in a cache line of its own: threads that add write one, the thread that runs tasks the other.
    static final int ADDED = 8;
    static final int TAKEN = 16;
    private static final int LENGTH = 24;

    /** Number of tasks added, and how many taken. Read by each iteration of a loop. */
    final AtomicLongArray counts = new AtomicLongArray(LENGTH);
    /** Where threads that add begin to look for a place: never beyond it, and never retired. */
    private final AtomicReference<TaskChunk> last;
    /** The array with the place of the next task to take, or the one before it. Set by the thread that runs tasks. */
    private volatile TaskChunk current;
    /** Held by a thread that takes a task; null if one thread at a time does. */
    private final ReentrantLock guard;
    private volatile DispatchTrace trace;

    /**
     * Creates an empty queue.
     *
     * @param shared whether several threads take tasks at once, not one at a time
     */
    TaskQueue(boolean shared) {
        guard = shared ? new ReentrantLock() : null;
        current = new TaskChunk(0);
        last = new AtomicReference<>(current);
    }

    /** Records the tasks that are run from now on. */
    void recordTo(DispatchTrace recording) {
        trace = recording;
    }

    /** Counts the task before it is there, so that a loop that is about to wait never sees too low a count. */
    void add(Runnable task) {
        TaskChunk chunk;
        long place;
        do {
            TaskChunk known = last.get();
            place = counts.get(ADDED);
            // Before the place is taken, since memory for another chunk may be lacking.
            chunk = known.with(place);
        } while (chunk == null || !counts.compareAndSet(ADDED, place, place + 1));
        chunk.put(place, task);
        advanceLast(chunk);
    }

    private void advanceLast(TaskChunk chunk) {
        TaskChunk known = last.get();
        while (known.first() < chunk.first() && !last.compareAndSet(known, chunk)) {
            known = last.get();
        }
    }

    /** {@return the number of tasks added so far} */
    long added() {
        return counts.get(ADDED);
    }

    /** {@return whether not all tasks up to a number have been taken} */
    boolean hasUpTo(long number) {
        return counts.get(TAKEN) < number;
    }

    /** {@return whether the task was still there} */
    boolean remove(Runnable task) {
        TaskChunk chunk = current;
        while (chunk != null) {
            if (chunk.replace(task, WITHDRAWN)) {
                return true;
            }
            TaskChunk next = chunk.next();
            chunk = next == chunk ? current : next;
        }
        return false;
    }

    /**
     * Runs the tasks that are there now and no others, so that tasks that add tasks delay nothing else.
     *
     * @return how many were run
     */
    int run() {
        return run(ALWAYS);
    }

    /**
     * Runs the tasks that are there now and no others, as long as the caller is the one that runs tasks.
     *
     * @param goesOn asked before each task is taken
     * @return how many were run
     */
    int run(BooleanSupplier goesOn) {
        int count = 0;
        for (long left = counts.get(ADDED) - counts.get(TAKEN); left > 0 && goesOn.getAsBoolean(); left--) {
            Runnable task = next(Long.MAX_VALUE);
            if (task == null) {
                break;
            }
            if (task == WITHDRAWN) {
                continue;
            }
            count++;
            run(task);
        }
        return count;
    }

    /** Runs a task that has been taken. */
    void run(Runnable task) {
        DispatchTrace recording = trace;
        try {
            if (recording == null || task instanceof Signals.Arrival) {
                task.run();
            } else {
                runTraced(task, recording);
            }
        } catch (Throwable e) {
            // Including checked exceptions, which not every language declares.
            HookFailure.log(LOG, "a task failed: " + task.getClass().getName(), e);
        }
    }

    private static void runTraced(Runnable task, DispatchTrace recording) {
        recording.begin("run", task, null);
        try {
            task.run();
        } finally {
            recording.end();
        }
    }

    /**
     * {@return the next of the tasks that have been added, up to a number of them; null if there is none}
     *
     * @param number as {@link #added()} has returned it
     */
    Runnable poll(long number) {
        Runnable task = next(number);
        while (task == WITHDRAWN) {
            task = next(number);
        }
        return task;
    }

    private Runnable next(long number) {
        if (guard == null) {
            return take(number);
        }
        guard.lock();
        try {
            return take(number);
        } finally {
            guard.unlock();
        }
    }

    /**
     * {@return the next task, or null if its thread has not put it there yet, if there is none, because a task that ran
     * the loop has taken it, or if that many have been taken}
     */
    private Runnable take(long number) {
        long place = counts.get(TAKEN);
        if (place >= number) {
            return null;
        }
        TaskChunk chunk = current;
        TaskChunk holder = chunk.with(place);
        if (holder != chunk) {
            advanceLast(holder);
            current = holder;
            chunk.retire();
        }
        Runnable task = holder.at(place);
        if (task == null) {
            return null;
        }
        if (!holder.replace(place, task, null)) {
            holder.put(place, null);
            task = WITHDRAWN;
        }
        counts.set(TAKEN, place + 1);
        return task;
    }
}
