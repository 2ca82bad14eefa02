package dev.sluice.eventloop;

import dev.sluice.dispatch.Confinement;
import dev.sluice.dispatch.PendingWork;
import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.Failures;
import dev.sluice.failure.OutOfMemoryRetry;
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
 * The execution of an event loop, by one thread at a time ({@link SingleThreadedLoop}) or by several concurrently
 * ({@link MultiThreadedLoop}). Each subclass defines which threads may enter, the iteration, which thread is woken up,
 * and which thread ends the loop.
 */
abstract class Loop implements Confinement {

    final LoopOwner loop;
    final PendingWork work;
    /** The clock of the timers, in nanoseconds. */
    final LongSupplier clock;
    /** Whether the threads inside are to stop. */
    volatile boolean stopRequested;
    /** Whether the last thread to leave must close the loop. */
    volatile boolean closeRequested;
    /** {@link #beforeHooks()} as an object, so that no iteration allocates one. */
    final Runnable beforeHooks = this::beforeHooks;
    private final @Nullable DispatchTrace trace;
    private volatile boolean closed;
    private final Object endLock = new Object();
    /**
     * Number of times that a thread has left the loop without having ended it, although it should have. Guarded by the
     * lock.
     */
    private int failedEnds;
    private final Runnable ending = this::endOrFail;
    private final Runnable waking;
    private final CloseSteps disposal;
    // Accessed only by the thread that ends the loop
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

    // Thread rules

    /** {@return as {@link EventLoop#inEventLoop}} */
    abstract boolean isLoopThread();

    /** {@return the state of the calling thread} Called inside the loop. */
    abstract LoopThreadState threadInside();

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
     * @throws IllegalStateException if the caller may not start it
     */
    abstract void start(Timer timer, long deadline);

    /** Removes a cancelled timer, unless it has been started again since. Called by any thread. */
    abstract void remove(Timer timer);

    /** Called before a thread calls hooks. Makes another thread do the work that should not wait for the hooks. */
    abstract void beforeHooks();

    // Running

    /**
     * Makes the caller enter the loop; it may already be inside, and counts its entries.
     *
     * @return the state of the calling thread
     * @throws IllegalStateException if the caller may not enter
     */
    abstract LoopThreadState enter();

    /**
     * Makes the caller leave the loop. The last thread to leave ends a loop that is to be closed.
     *
     * @param before the depth of the caller before it entered; further entries since then are left, too, since their
     *               leaving may have failed for lack of stack
     */
    abstract void leave(LoopThreadState thread, int before);

    /** Runs one iteration: waits for events, then dispatches them. Called inside the loop. */
    abstract int runIteration(LoopThreadState thread, long timeoutNanos) throws IOException;

    /** Runs iterations until the loop is stopped or closed. Called inside the loop. */
    abstract void runUntilStopped(LoopThreadState thread) throws IOException;

    /**
     * Called inside the loop when the caller's outermost run has failed. If no other thread is inside, leaving the loop
     * then ends it.
     */
    abstract void runFailed(LoopThreadState thread);

    final int runOnce(long timeoutNanos) throws IOException {
        LoopThreadState thread = enter();
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
        LoopThreadState thread = enter();
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

    private void leave(LoopThreadState thread, int before, @Nullable Throwable failure) {
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

    /**
     * Called when the threads inside have stopped. Resets the stop request, unless an orderly stop is over: then
     * further runs return immediately.
     */
    final void resetStop() {
        stopRequested = false;
        // Read last, because a stop that ends at this moment sets the request afterwards.
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

    // Closing

    abstract void close();

    /**
     * Makes the threads inside leave; the last of them ends the loop. If none is inside, the next one that enters does.
     */
    final void requestClose() {
        closeRequested = true;
        if (!isClosed()) {
            OutOfMemoryRetry.retryUntilAvailable(waking);
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

    /** Closes the batches of threads that have left. Called by the only thread inside. */
    abstract void closeBatches();

    /** Ends the loop if no thread is inside. */
    abstract void endIfIdle();

    /**
     * Checks that the threads inside can leave.
     *
     * @param began the time at which the caller began to wait for that
     * @throws IllegalStateException as {@link ShutdownWait#requireReturn}
     */
    abstract void requireReturn(long began);

    /**
     * Waits until the threads inside have left and the last of them has ended the loop. If that thread had no memory
     * for it, the caller ends the loop.
     */
    final void awaitEnd() {
        // Repeated until it succeeds, because no other thread would wake the threads inside.
        OutOfMemoryRetry.retryUntilAvailable(waking);
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
        synchronized (endLock) {
            return failedEnds;
        }
    }

    private void awaitChange(int before, long began) throws InterruptedException {
        synchronized (endLock) {
            while (!isClosed() && failedEnds == before) {
                endLock.wait(ShutdownWait.STEP_MILLIS);
                requireReturn(began);
            }
        }
    }

    /**
     * Called when the caller has left a loop that it should have ended but could not. Makes a thread that waits for the
     * end try it.
     */
    final void notifyEndFailed() {
        synchronized (endLock) {
            failedEnds++;
            endLock.notifyAll();
        }
    }

    /**
     * Ends the loop, retrying for a while if there is no memory. If this throws for lack of memory or stack, the loop
     * is not closed, and the next call continues. Called by the only thread inside.
     */
    final void end() {
        OutOfMemoryRetry.retryUntilAvailable(ending);
    }

    private void endOrFail() {
        if (!allEnded) {
            LoopThreadState thread = threadInside();
            thread.batch = loop.beginEnd(thread.batch);
            cancelAll(thread.batch);
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
        synchronized (endLock) {
            closed = true;
            endLock.notifyAll();
        }
        Failures.throwFirst(failure);
    }

    private void cancelAll(@Nullable EventBatch batch) {
        try {
            work.end();
            loop.members.closeAll();
            loop.cancelAll(batch);
        } catch (OutOfMemoryError | StackOverflowError e) {
            throw e;
        } catch (Throwable e) {
            // The demultiplexer must be closed nevertheless.
            failure = e;
        }
    }
}
