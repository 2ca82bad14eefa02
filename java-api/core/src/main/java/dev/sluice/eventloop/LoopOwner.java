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

/** What a {@link Loop} asks of the Reactor or the Proactor that it is run for, and what these ask of it. */
abstract class LoopOwner {

    final @Nullable DispatchTrace trace;
    final Loop loop;
    final LoopMembers members;
    private final Runnable finishing;

    /**
     * Creates the loop.
     *
     * @param timers the strategy for its timers, empty
     * @param clock  the nanoseconds by which its timers expire
     * @param trace  records the calls of hooks, of this loop alone; null for none
     */
    @SuppressWarnings("this-escape") // Only stored by the Loop and the trace, and used once a thread runs the loop.
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

    // What the threads that run the loop call

    /**
     * {@return what the calling thread waits with from now on} Called before its first wait, and not again for the
     * threads that enter when it has left.
     */
    protected abstract EventBatch newBatch();

    /**
     * Checks, before anything is ended, that the caller can end it. No other thread is inside the loop.
     *
     * @param batch that of the calling thread; null if it has not waited
     * @return that of the calling thread from now on; null if it has none
     */
    protected @Nullable EventBatch beginEnd(@Nullable EventBatch batch) {
        return batch;
    }

    /**
     * Ends what is registered or in flight, telling its handlers. Called once, with no other thread inside the loop.
     *
     * @param batch as {@link #beginEnd} has returned it
     */
    protected abstract void endAll(@Nullable EventBatch batch);

    /** Closes what it waits with. Called once, after {@link #endAll}. */
    protected abstract void dispose();

    /** The handler of a timer, or the task for a signal, threw. Must not throw. */
    protected abstract void failed(Object handler, Throwable cause);

    /**
     * Ends a wait: one in progress, or else the next one. If many threads wait, it ends the wait of any one of
     * them.
     */
    public abstract void wakeUp();

    // What the Reactor and the Proactor ask

    /**
     * {@return whether the caller is inside the loop; unless many threads may be inside, no other thread can then
     * become the loop thread}
     */
    protected final boolean isInside() {
        return loop.isInside();
    }

    /** {@return which thread may change what belongs to the loop} Where many threads run the loop, each may. */
    protected final Confinement confinement() {
        return loop;
    }

    /**
     * Adds a task to be run by the loop thread, or by one of many.
     *
     * @return false after the end, when there is nothing left that it could change
     */
    protected final boolean enqueue(Runnable task) {
        return loop.work.execute(task);
    }

    /**
     * Adds a member, which is in no loop, and which the loop ends in order when it stops. For the listening sockets and
     * connections of this library.
     *
     * @hidden
     */
    public final void addMember(LoopMember member) {
        members.add(member);
    }

    /**
     * Undoes {@link #addMember}, when the member has ended; nothing happens if it is in no loop.
     *
     * @hidden
     */
    public final void removeMember(LoopMember member) {
        members.remove(member);
    }

    /** Throws an {@link IllegalStateException} that names a method if it is no longer open. */
    protected final void requireOpen(String method) {
        loop.requireOpen(method);
    }

    /** {@return what to throw when it is too late} */
    protected final IllegalStateException closedException(String method) {
        return new IllegalStateException(method + ": " + this + " is closed; open another loop");
    }
}
