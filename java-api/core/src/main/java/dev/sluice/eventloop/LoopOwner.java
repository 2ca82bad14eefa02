package dev.sluice.eventloop;

import dev.sluice.dispatch.Confinement;
import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.eventloop.spi.LoopMember;
import dev.sluice.eventloop.spi.LoopMembers;
import dev.sluice.eventloop.spi.ThreadingModel;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The interface between a {@link Loop} and its owner, the Reactor or the Proactor. */
abstract class LoopOwner {

    final @Nullable DispatchTrace trace;
    final Loop loop;
    final LoopMembers members;
    private final Runnable finishing;

    /**
     * Creates the loop.
     *
     * @param timers  the timer strategy; empty
     * @param clock   the clock of the timers, in nanoseconds
     * @param threads the threads that may run the loop
     * @param trace   records the calls of hooks of this loop only; null for none
     */
    @SuppressWarnings("this-escape") // The Loop and the trace only store it until a thread runs the loop.
    LoopOwner(TimerQueue timers, LongSupplier clock, ThreadingModel threads, @Nullable DispatchTrace trace) {
        Objects.requireNonNull(timers, "timers");
        this.trace = trace;
        if (trace != null) {
            trace.bind(this);
        }
        loop = switch (threads) {
            case SINGLE_THREADED -> new SingleThreadedLoop(this, true, timers, clock, trace);
            case CONFINED -> new SingleThreadedLoop(this, false, timers, clock, trace);
            case MULTI_THREADED -> new MultiThreadedLoop(this, timers, clock, trace);
        };
        members = new LoopMembers(this::finishSoon, loop::stop);
        finishing = members::finishAll;
    }

    final void finishSoon() {
        enqueue(finishing);
    }

    // Called by the threads that run the loop

    /**
     * {@return a batch for the waits of the calling thread} Called before its first wait, and not again for threads
     * that enter after it has left.
     */
    protected abstract EventBatch newBatch();

    /**
     * Checks that the caller can end the loop, before anything is ended. No other thread is inside the loop.
     *
     * @param batch the batch of the calling thread; null if it has not waited
     * @return the batch of the calling thread from now on; null if it has none
     */
    protected @Nullable EventBatch beginEnd(@Nullable EventBatch batch) {
        return batch;
    }

    /**
     * Cancels all registrations and operations, and notifies their handlers. Called once, with no other thread inside
     * the loop.
     *
     * @param batch the batch that {@link #beginEnd} has returned
     */
    protected abstract void cancelAll(@Nullable EventBatch batch);

    /** Closes the demultiplexer. Called once, after {@link #cancelAll}. */
    protected abstract void dispose();

    /** Called when the handler of a timer or a signal has thrown. Must not throw. */
    protected abstract void failed(Object handler, Throwable cause);

    /** Ends a wait in progress, or else the next one. If several threads wait, it ends the wait of any one of them. */
    public abstract void wakeUp();

    // Called by the Reactor and the Proactor

    /**
     * {@return whether the caller is inside the loop; on a single-threaded loop, no other thread can then become the
     * loop thread}
     */
    protected final boolean isInside() {
        return loop.isInside();
    }

    /**
     * {@return the rule that determines which thread may change the state of the loop} On a multi-threaded loop, any
     * thread may.
     */
    protected final Confinement confinement() {
        return loop;
    }

    /**
     * Adds a task, to be run by the loop thread, or by one of several threads.
     *
     * @return false if the loop has ended, so that the task is not run
     */
    protected final boolean enqueue(Runnable task) {
        return loop.work.execute(task);
    }

    /**
     * Adds a member, which must not be in any loop; the loop ends it in order when it stops. For the listening sockets
     * and connections of this library.
     *
     * @hidden
     */
    public final void addMember(LoopMember member) {
        members.add(member);
    }

    /**
     * Removes a member that has ended. Does nothing if it is not in any loop.
     *
     * @hidden
     */
    public final void removeMember(LoopMember member) {
        members.remove(member);
    }

    /** Throws an {@link IllegalStateException} that names the method if the loop is closed. */
    protected final void requireOpen(String method) {
        loop.requireOpen(method);
    }

    /** {@return the exception for a call of the method on a closed loop} */
    protected final IllegalStateException closedException(String method) {
        return new IllegalStateException(method + ": " + this + " is closed; open another loop");
    }
}
