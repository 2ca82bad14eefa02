package dev.sluice.files;

import com.google.errorprone.annotations.CheckReturnValue;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Operations on files that are submitted together, and the thread that waits for them. A batch is filled, submitted and
 * waited for, again and again:
 *
 * <pre>{@code
 * FileBatch batch = new FileBatch(loop, 32);
 * for (int i = 0; i < pages.length; i++) {
 *     batch.read(file, buffers[i], pages[i] * PAGE_SIZE);
 * }
 * batch.await();
 * }</pre>
 *
 * <p>From the submission until its completion, each buffer belongs to its operation. The thread of the loop uses it, so
 * its memory must not be confined to the thread of the batch. A read that returns fewer bytes than its buffer has
 * remaining is continued until the buffer is full or the file ends. An operation that fails affects no other: each has
 * a result of its own, {@link #bytes} or {@link #error}.
 *
 * <p>A batch is used by one thread at a time, which may be a virtual thread, but not the thread of the loop. Once its
 * entries have been used, a batch allocates nothing. The loop allocates an array of about 1 KiB for each 256 batches,
 * and the JDK allocates some bytes when it continues a virtual thread.
 */
public final class FileBatch extends BatchOperations {

    private static final Logger LOG = LoggerFactory.getLogger(FileBatch.class);
    private static final long LONGEST_PAUSE_MILLIS = 1000;
    /** The maximum number of attempts to wake a thread that fail, but not for lack of memory: half a minute of them. */
    private static final int MAX_REFUSALS = 40;
    // There must be memory for it when the first thread is woken.
    private static final Consumer<Thread> UNPARK = LockSupport::unpark;

    private final Runnable startTask = this::start;
    private final Runnable cancelTask = this::cancelAll;

    // Used by the thread of the batch.

    private boolean failuresCollected;
    /** The first failure of the batch that has completed, with the others as suppressed. */
    private @Nullable IOException failure;

    /** Of the submitted operations, those that have not completed; changed by the thread of the loop. */
    private volatile int pending;
    private volatile @Nullable Thread waiter;
    private volatile boolean cancelled;
    /** Whether the operations are to be started by the next run of the task that does that. */
    private final AtomicBoolean startRequested = new AtomicBoolean();

    /**
     * Creates an empty batch.
     *
     * @param loop     executes the operations
     * @param capacity the maximum number of operations, at least 1
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public FileBatch(FileLoop loop, int capacity) {
        super(loop, capacity);
    }

    // Submitting and waiting

    /**
     * Starts the operations, and does not wait for them. Does nothing if that has been done, or there are none. If this
     * throws an {@link Error}, such as for lack of memory, the batch may be submitted again.
     *
     * @throws IllegalStateException if the caller is the thread of the loop
     */
    public void submit() {
        requireOtherThread("submit");
        if (phase != Phase.FILLING || size == 0) {
            return;
        }
        phase = Phase.SUBMITTED;
        failuresCollected = false;
        failure = null;
        cancelled = false;
        pending = size;
        startRequested.set(true);
        try {
            if (!loop.execute(startTask)) {
                // One for all: if there is no memory for it, none of them has completed.
                IOException closed = loop.closedException();
                for (int i = 0; i < size; i++) {
                    entries[i].failed(closed);
                }
            }
        } catch (Throwable e) {
            // The loop may have accepted the task before it ran out of memory. A task that comes later starts nothing.
            if (startRequested.compareAndSet(true, false)) {
                pending = 0;
                phase = Phase.FILLING;
            }
            throw e;
        }
    }

    /**
     * Submits the operations, unless that has been done, and waits until all have completed. An interrupt does not end
     * the wait; the interrupt status is set afterwards.
     *
     * @throws IOException           the failure of the first operation that has failed, with those of the others as
     *                               suppressed; the results of all operations are there nevertheless
     * @throws IllegalStateException if the caller is the thread of the loop
     */
    public void await() throws IOException {
        submit();
        awaitCompletion(0, false);
        throwFailures();
    }

    /**
     * Waits as {@link #await()} does, for a time. If it is over first, the operations continue, and their buffers still
     * belong to them: wait once more, perhaps after {@link #cancel()}.
     *
     * @param timeout the maximum time to wait
     * @return false if the time is over and operations are in flight
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IOException              as for {@link #await()}
     */
    @CheckReturnValue
    public boolean await(Duration timeout) throws IOException {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout);
        }
        submit();
        if (!awaitCompletion(saturatedNanos(timeout), true)) {
            return false;
        }
        throwFailures();
        return true;
    }

    private static long saturatedNanos(Duration time) {
        try {
            return time.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    private boolean awaitCompletion(long nanos, boolean timed) {
        if (phase != Phase.SUBMITTED) {
            return true;
        }
        Thread other = waiter;
        if (other != null) {
            throw new IllegalStateException("await: " + other + " waits for the batch; a batch belongs to one thread");
        }
        boolean interrupted = false;
        long begin = timed ? System.nanoTime() : 0;
        waiter = Thread.currentThread();
        try {
            while (pending > 0) {
                long left = timed ? nanos - (System.nanoTime() - begin) : 0;
                if (!timed) {
                    LockSupport.park(this);
                } else if (left > 0) {
                    LockSupport.parkNanos(this, left);
                } else {
                    break;
                }
                interrupted |= Thread.interrupted();
            }
        } finally {
            // A virtual thread needs memory to park. After an error it may wait again.
            waiter = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (pending > 0) {
            return false;
        }
        phase = Phase.COMPLETED;
        return true;
    }

    private void throwFailures() throws IOException {
        if (!failuresCollected) {
            failure = collectFailures();
            // Not before: if there is no memory for it, the next call throws the failure.
            failuresCollected = true;
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable IOException collectFailures() {
        IOException first = null;
        for (int i = 0; i < size; i++) {
            first = collect(first, entries[i].error());
        }
        return first;
    }

    /**
     * Adds a failure to those of other operations, unless it is among them: several operations may have one, and what
     * ran out of memory is tried again.
     */
    static @Nullable IOException collect(@Nullable IOException first, @Nullable IOException failure) {
        if (first == null) {
            return failure;
        }
        if (failure != null && failure != first && !List.of(first.getSuppressed()).contains(failure)) {
            first.addSuppressed(failure);
        }
        return first;
    }

    /**
     * Asks for the cancellation of all operations that have not completed, and does not wait for that. Those that can
     * be cancelled fail; the others complete as if nothing had been asked. Does nothing unless the batch is submitted.
     */
    public void cancel() {
        if (phase == Phase.SUBMITTED) {
            cancelled = true;
            if (!loop.execute(cancelTask)) {
                // The end of the loop cancels everything.
                return;
            }
        }
    }

    private void requireOtherThread(String method) {
        if (loop.isLoopThread()) {
            throw new IllegalStateException(method + ": the thread of " + loop + " would wait for itself");
        }
    }

    // Results

    /**
     * {@return the number of bytes that an operation has moved, {@link dev.sluice.handle.FileHandle#END_OF_FILE} if a
     * read began at or past the end of the file; 0 for operations that move none} Of a failed read or write, the bytes
     * before that.
     *
     * @param index the index of the operation
     * @throws IllegalStateException     if the batch has not completed
     * @throws IndexOutOfBoundsException if there is no such operation
     */
    public long bytes(int index) {
        return entry("bytes", index).bytes();
    }

    /**
     * {@return why an operation has failed or was cancelled; null if it has succeeded}
     *
     * @param index the index of the operation
     * @throws IllegalStateException     if the batch has not completed
     * @throws IndexOutOfBoundsException if there is no such operation
     */
    public @Nullable IOException error(int index) {
        return entry("error", index).error();
    }

    private BatchEntry entry(String method, int index) {
        if (phase != Phase.COMPLETED) {
            throw new IllegalStateException(method + ": the batch has not completed; call await() first");
        }
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException(method + ": index " + index + " of " + size + " operations");
        }
        return entries[index];
    }

    // On the thread of the loop

    private void start() {
        if (!startRequested.compareAndSet(true, false)) {
            return;
        }
        // Read once: when the last operation has completed, the batch belongs to its thread again.
        int count = size;
        for (int i = 0; i < count; i++) {
            entries[i].start();
        }
    }

    private void cancelAll() {
        for (int i = 0; pending > 0 && i < size; i++) {
            entries[i].cancel();
        }
    }

    boolean isCancelled() {
        return cancelled;
    }

    // Only the thread of the loop changes it while operations are in flight.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void completedOne() {
        int left = pending - 1;
        pending = left;
        Thread waiting = waiter;
        if (left == 0 && waiting != null) {
            wake(waiting, UNPARK, MAX_REFUSALS);
        }
    }

    /**
     * Wakes a thread, and tries again for as long as there is no memory for that: a thread that is not woken would wait
     * forever, and so would operations that are started after this. The scheduler of virtual threads reports a lack of
     * memory in several ways, so it is tried again after other failures, too, but not forever: they may be permanent,
     * as for lack of stack or after the end of the scheduler, and other threads wait for their batches. Does not throw,
     * because the batch belongs to its thread again.
     *
     * @param waiting     the thread
     * @param unpark      wakes it
     * @param maxRefusals the maximum number of attempts that fail, but not for lack of memory, at least 1
     */
    static void wake(Thread waiting, Consumer<Thread> unpark, int maxRefusals) {
        boolean interrupted = false;
        long millis = 1;
        int refusals = 0;
        Throwable failure = failureToWake(waiting, unpark);
        while (failure != null && (failure instanceof OutOfMemoryError || ++refusals < maxRefusals)) {
            // An interrupt would end each pause at once.
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
            millis = Math.min(2 * millis, LONGEST_PAUSE_MILLIS);
            failure = failureToWake(waiting, unpark);
        }
        if (failure != null) {
            logNotWoken(waiting, failure);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable Throwable failureToWake(Thread waiting, Consumer<Thread> unpark) {
        try {
            unpark.accept(waiting);
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    private static void logNotWoken(Thread waiting, Throwable failure) {
        try {
            LOG.error("{} cannot be woken although its batch has completed", waiting, failure);
        } catch (RuntimeException | Error e) {
            // There may be no memory or stack for that either.
            return;
        }
    }
}
