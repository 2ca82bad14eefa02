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
 * A queue of submitted tasks. Any thread adds tasks; one thread at a time takes them, or any number under a lock.
 *
 * <p>The tasks are in arrays, because a linked queue allocates a node for each task, and threads contend for its tail.
 * No array is reused, and slots are numbered consecutively. So a thread that has reserved a slot may fill it at any
 * later time: the thread that runs tasks stops there, and retires an array only when it and {@link #last} have passed
 * all of its slots.
 */
final class TaskQueue {

    private static final Logger LOG = LoggerFactory.getLogger(TaskQueue.class);

    /** Replaces a task that will not run. */
    private static final Runnable WITHDRAWN = () -> { };
    private static final BooleanSupplier ALWAYS = () -> true;

    // Each count is in a cache line of its own: threads that add tasks write one, the thread that runs tasks the other.
    static final int ADDED = 8;
    static final int TAKEN = 16;
    private static final int LENGTH = 24;

    /** Numbers of tasks added and taken. Read by each iteration of a loop. */
    final AtomicLongArray counts = new AtomicLongArray(LENGTH);
    /**
     * The chunk where threads that add tasks begin to search for the next slot; never beyond that slot, and never
     * retired.
     */
    private final AtomicReference<TaskChunk> last;
    /** The chunk with the next task to take, or the chunk before it. Set by the thread that runs tasks. */
    private volatile TaskChunk current;
    /** Held by a thread that takes a task; null if one thread at a time does. */
    private final ReentrantLock guard;
    private volatile DispatchTrace trace;

    /**
     * Creates an empty queue.
     *
     * @param shared whether several threads take tasks concurrently
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

    /**
     * Adds a task. Counts it before it is stored, so that a loop that is about to wait never reads a count that is too
     * low.
     */
    void add(Runnable task) {
        TaskChunk chunk;
        long place;
        do {
            TaskChunk known = last.get();
            place = counts.get(ADDED);
            // Before the slot is reserved, because there may be no memory for another chunk.
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

    /** {@return whether there are tasks up to a number that have not been taken} */
    boolean hasUpTo(long number) {
        return counts.get(TAKEN) < number;
    }

    /** Removes a task. Returns whether it was in the queue. */
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
     * Runs the tasks that are in the queue now and no others, so that tasks that add tasks do not delay other work.
     *
     * @return the number of tasks run
     */
    int run() {
        return run(ALWAYS);
    }

    /**
     * Runs the tasks that are in the queue now and no others, while a condition is true.
     *
     * @param condition evaluated before each task is taken
     * @return the number of tasks run
     */
    int run(BooleanSupplier condition) {
        int count = 0;
        for (long left = counts.get(ADDED) - counts.get(TAKEN); left > 0 && condition.getAsBoolean(); left--) {
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
            // Includes checked exceptions, which some languages do not declare.
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
     * {@return the next task, if it is among the first {@code number} tasks added; null if there is none}
     *
     * @param number a result of {@link #added()}
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
     * {@return the next task; null if its thread has not stored it yet, if a task that ran the loop has taken it, or if
     * the given number of tasks have been taken}
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
