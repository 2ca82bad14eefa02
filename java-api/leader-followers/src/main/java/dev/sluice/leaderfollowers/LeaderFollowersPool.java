package dev.sluice.leaderfollowers;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.dispatch.HandlerTable;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paper's LF_Thread_Pool: threads that take turns waiting on one handle set. One of them, the leader, waits; when
 * it has detected an event, it promotes a follower and dispatches the event itself. Any thread dispatches any event.
 *
 * <p>On a concurrent handle set no thread needs to lead, see {@link MultipleLeadersPool}. Handlers are the same in
 * either case, and the same as those of a {@link dev.sluice.reactor.Reactor}; {@link HandleSetSource} says what they
 * can rely on.
 */
public final class LeaderFollowersPool extends MultipleLeadersPool implements Dispatcher {

    private final HandleSetSource handleSet;

    /**
     * Creates a pool of its parts, which it owns from now on. To give it a trace, see {@link
     * MultipleLeadersPool#MultipleLeadersPool(PromotionOrder, List, DispatchTrace)}.
     *
     * @param handleSet the handle set to wait on
     * @param order     determines which follower is promoted
     */
    public LeaderFollowersPool(HandleSetSource handleSet, PromotionOrder order) {
        super(order, List.of(handleSet));
        this.handleSet = handleSet;
    }

    /**
     * Opens a pool on a demultiplexer by name, in the order {@link PromotionOrder#IMPLEMENTATION_DEFINED}, which costs
     * least.
     *
     * @param demultiplexer a name as for {@link HandleSetSource#open(String)}
     * @return the pool; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name; the message lists the right
     *                                  ones
     * @throws IOException              if the system refuses
     */
    @CheckReturnValue
    public static LeaderFollowersPool open(String demultiplexer) throws IOException {
        return on(HandleSetSource.open(demultiplexer), PromotionOrder.IMPLEMENTATION_DEFINED);
    }

    /**
     * Opens a pool on a demultiplexer by name, with a leader or without.
     *
     * @param demultiplexer a name as for {@link HandleSetSource#open(String, boolean)}
     * @param order         determines which follower is promoted
     * @param concurrent    whether all threads wait at once; false to have a leader
     * @return the pool; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name, or it is an iterative handle
     *                                  set and is to be used as a concurrent one
     * @throws IOException              if the system refuses
     */
    @CheckReturnValue
    public static LeaderFollowersPool open(String demultiplexer, PromotionOrder order, boolean concurrent)
            throws IOException {
        return on(HandleSetSource.open(demultiplexer, concurrent), order);
    }

    /**
     * Opens a pool on a demultiplexer, iterative or concurrent as the handle set is: on a concurrent handle set all
     * threads wait. Neither kind is faster on all workloads; {@code ./sluice compare --kinds iterative,concurrent}
     * measures both.
     *
     * @param mechanism to wait with, of mode {@link Mechanism.Mode#SYNCHRONOUS}
     * @param order     determines which follower is promoted
     * @return the pool; the caller closes it
     * @throws UnsupportedOperationException if the mechanism is not synchronous, or not available here
     * @throws IOException                   if the system refuses
     */
    @CheckReturnValue
    public static LeaderFollowersPool open(Mechanism mechanism, PromotionOrder order) throws IOException {
        return on(HandleSetSource.open(mechanism, mechanism.isConcurrent()), order);
    }

    private static LeaderFollowersPool on(HandleSetSource handleSet, PromotionOrder order) {
        try {
            return new LeaderFollowersPool(handleSet, order);
        } catch (Throwable e) {
            handleSet.close();
            throw e;
        }
    }

    /** {@return the handle set that it waits on} Its methods register handles, timers and signals. */
    public HandleSetSource handleSet() {
        return handleSet;
    }

    @Override
    public Registration register(Handle handle, Interest interest, EventHandler handler) throws IOException {
        return handleSet.register(handle, interest, handler);
    }

    @Override
    public HandlerTable handlerTable() {
        return handleSet.handlerTable();
    }

    @Override
    public Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay) {
        return handleSet.schedule(handler, token, delay);
    }

    @Override
    public Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay, Duration period) {
        return handleSet.schedule(handler, token, delay, period);
    }

    /**
     * Runs a task for each signal of the operating system that the process receives, see
     * {@link HandleSetSource#onSignal}.
     *
     * @param signal the signal
     * @param task run by any thread of the pool; exceptions are logged
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     * @throws IllegalStateException         if the pool is closed
     */
    public void onSignal(OsSignal signal, Runnable task) {
        handleSet.onSignal(signal, task);
    }

    /**
     * Removes all tasks for a signal; one that is running is not affected.
     *
     * @param signal the signal
     */
    public void removeSignal(OsSignal signal) {
        handleSet.removeSignal(signal);
    }

    @Override
    public void execute(Runnable task) {
        handleSet.execute(task);
    }

    @Override
    public boolean isOpen() {
        return !isClosed();
    }

    /** {@return for example {@code leader/followers pool on epoll}} */
    @Override
    public String toString() {
        return "leader/followers pool on " + handleSet.demultiplexer();
    }
}
