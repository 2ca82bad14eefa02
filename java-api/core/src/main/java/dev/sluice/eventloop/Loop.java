package dev.sluice.eventloop;

import dev.sluice.dispatch.Confinement;
import dev.sluice.dispatch.PendingWork;
import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.Failures;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.failure.ShutdownWait;
import dev.sluice.hook.HookFailure;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How an event loop is run: by one thread at a time ({@link SingleThreadedLoop}) or by many at once
 * ({@link MultiThreadedLoop}). Each of the two can be read from top to bottom: which threads may enter, how an
 * iteration goes, which thread is woken up for what, and which one ends it.
 */
abstract class Loop implements Confinement {

    final LoopOwner loop;
    final PendingWork work;
    /** The nanoseconds by which timers expire. */
    final LongSupplier clock;
    /** Whether the threads inside are to stop. */
    volatile boolean stopRequested;
    /** Whether the last thread to leave must end the loop. */
    volatile boolean closeRequested;
    /** Calls {@link #beforeHooks()}. */
    final Runnable beforeHooks = this::beforeHooks;
    private final @Nullable DispatchTrace trace;
    private volatile boolean closed;
    private final Object ends = new Object();
    /** How often a thread has left the loop without having ended it, although it should. Under the lock. */
    private int failedEnds;
    private final Runnable ending = this::endOrFail;
    private final Runnable waking;
    private final CloseSteps disposal;
    // Used by the thread that ends the loop
    /** Whether all handlers have been notified of the end. */
    private boolean allEnded;
    private @Nullable Throwable failure;

    Loop(LoopOwner loop, TimerQueue timers, LongSupplier clock, boolean shared, @Nullable DispatchTrace trace) {
        this.loop = loop;
        this.clock = clock;
        this.waking = loop::wakeUp;
        this.disposal = new CloseSteps(this::closeBatches, loop::dispose);
        this.trace = trace;
        this.work = new PendingWork(timers, clock, shared, waking, loop::failed);
        work.recordTo(trace);
        HookFailure.prepare();
    }

    // Which thread may do what

    /** {@return as {@link EventLoop#inEventLoop}} */
    abstract boolean isLoopThread();

    /** {@return the state of the caller} Called inside the loop. */
    abstract LoopStay threadInside();

    @Override
    public void performOrEnqueue(Runnable action) {
        try {
            if (!perform(action::run)) {
                work.execute(action);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // Timers

    /** Adds a timer, unless it is cancelled in the meantime. Called by any thread. */
    abstract void add(Timer timer);

    /**
     * Starts or restarts a timer that fires once.
     *
     * @throws IllegalStateException if the caller may not
     */
    abstract void start(Timer timer, long deadline);

    /** Removes a cancelled timer, unless it has been started again since. Called by any thread. */
    abstract void remove(Timer timer);

    /** Called before a thread calls hooks: sees to what should not wait until it returns from them. */
    abstract void beforeHooks();

    // Running

    /**
     * The caller enters the loop, perhaps once more, and then counts that.
     *
     * @return the calling thread
     * @throws IllegalStateException if it may not
     */
    abstract LoopStay enter();

    /**
     * The caller leaves again. The last thread to leave ends a loop that is to be closed.
     *
     * @param before how often it had entered before, and not left: what has been entered since then is left, too, as a
     *               leave may have had no stack
     */
    abstract void leave(LoopStay thread, int before);

    /** One iteration: waits, and dispatches what there is. Called inside the loop. */
    abstract int runIteration(LoopStay thread, long timeoutNanos) throws IOException;

    /** Runs iterations until the stop or the end. Called inside the loop. */
    abstract void runUntilStopped(LoopStay thread) throws IOException;

    /**
     * The caller's outermost run has failed. Called inside the loop; if no other thread is inside, leaving ends the
     * loop.
     */
    abstract void runFailed(LoopStay thread);

    final int runOnce(long timeoutNanos) throws IOException {
        LoopStay thread = enter();
        int before = thread.depth++;
        try {
            enterTrace();
            try {
                return runIteration(thread, timeoutNanos);
            } finally {
                leaveTrace();
            }
        } finally {
            leave(thread, before);
        }
    }

    final void run() throws IOException {
        LoopStay thread = enter();
        int before = thread.depth++;
        Throwable failure = null;
        try {
            enterTrace();
            try {
                runUntilStopped(thread);
            } finally {
                leaveTrace();
            }
        } catch (Throwable e) {
            failure = e;
            if (before == 0 && !(e instanceof IllegalStateException)) {
                runFailed(thread);
            }
            throw e;
        } finally {
            leave(thread, before, failure);
        }
    }

    private void enterTrace() {
        if (trace != null) {
            trace.enter();
        }
    }

    private void leaveTrace() {
        if (trace != null) {
            trace.leave();
        }
    }

    private void leave(LoopStay thread, int before, @Nullable Throwable failure) {
        try {
            leave(thread, before);
        } catch (RuntimeException | Error e) {
            if (failure == null) {
                throw e;
            }
            if (failure != e) {
                failure.addSuppressed(e);
            }
        }
    }

    final void stop() {
        stopRequested = true;
        loop.wakeUp();
    }

    /** The threads inside have stopped. After an orderly stop there is nothing to run for any more. */
    final void resetStop() {
        stopRequested = false;
        // Read last: a stop that ends at this moment sets the request after this.
        if (loop.members.isOver()) {
            stopRequested = true;
        }
    }

    /** As {@link EventLoop#leave}. Called inside the loop. */
    final void leaveRun() {
        threadInside().leaving = true;
    }

    /** {@return as {@link EventLoop#dispatchingThreads}} */
    abstract int dispatchingThreads();

    // The end

    abstract void close();

    /** Makes the threads inside leave, the last of which ends the loop. With none inside, the next one does. */
    final void requestClose() {
        closeRequested = true;
        if (!isClosed()) {
            MemoryShortage.retryUntilAvailable(waking);
        }
    }

    final boolean isClosed() {
        return closed;
    }

    final void requireOpen(String method) {
        if (isClosed()) {
            throw loop.closedException(method);
        }
    }

    /** Closes what threads that are no longer inside have waited with. Called by the only thread inside. */
    abstract void closeBatches();

    /** Ends everything if no thread is inside. */
    abstract void endIfIdle();

    /**
     * Checks that the threads inside can leave.
     *
     * @param began when the caller began to wait for that
     * @throws IllegalStateException as {@link ShutdownWait#requireReturn}
     */
    abstract void requireReturn(long began);

    /**
     * Waits until the threads inside have left and the last of them has ended the loop. If that has had no memory for
     * it, the caller ends the loop.
     */
    final void awaitEnd() {
        // No other thread would wake the thread that has to leave.
        MemoryShortage.retryUntilAvailable(waking);
        boolean interrupted = false;
        long began = System.nanoTime();
        try {
            while (!isClosed()) {
                int before = failedEnds();
                endIfIdle();
                try {
                    awaitChange(before, began);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int failedEnds() {
        synchronized (ends) {
            return failedEnds;
        }
    }

    private void awaitChange(int before, long began) throws InterruptedException {
        synchronized (ends) {
            while (!isClosed() && failedEnds == before) {
                ends.wait(ShutdownWait.STEP_MILLIS);
                requireReturn(began);
            }
        }
    }

    /** The caller has left a loop that is to be closed. If it could not end the loop, one that waits for that does. */
    final void leftUnended() {
        synchronized (ends) {
            failedEnds++;
            ends.notifyAll();
        }
    }

    /**
     * Ends everything, waiting for a while if there is no memory for it. If that, or a lack of stack, is what this
     * throws, the loop is not closed, and the next call continues. Called by the only thread inside.
     */
    final void end() {
        MemoryShortage.retryUntilAvailable(ending);
    }

    private void endOrFail() {
        if (!allEnded) {
            LoopStay thread = threadInside();
            thread.batch = loop.beginEnd(thread.batch);
            endAll(thread.batch);
            allEnded = true;
        }
        try {
            disposal.run();
        } catch (OutOfMemoryError | StackOverflowError e) {
            throw e;
        } catch (Throwable e) {
            failure = Failures.and(failure, e);
        }
        if (trace != null) {
            trace.close();
        }
        synchronized (ends) {
            closed = true;
            ends.notifyAll();
        }
        Failures.throwFirst(failure);
    }

    private void endAll(@Nullable EventBatch batch) {
        try {
            work.end();
            loop.members.closeAll();
            loop.endAll(batch);
        } catch (OutOfMemoryError | StackOverflowError e) {
            throw e;
        } catch (Throwable e) {
            // The demultiplexer must be closed nevertheless.
            failure = e;
        }
    }
}
