package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;
import java.util.List;

/**
 * The paper's LF_Thread_Pool: threads that take turns waiting on one handle set. One of them, the leader, waits; when
 * it has detected an event, it promotes a follower and dispatches the event itself. Any thread dispatches any event.
 *
 * <p>On a concurrent handle set no thread needs to lead, see {@link MultipleLeadersPool}. Handlers are the same in
 * either case, and the same as those of a {@link dev.sluice.reactor.Reactor}; {@link HandleSetSource} says what they
 * can rely on.
 */
public final class LeaderFollowersPool extends MultipleLeadersPool {

    private final HandleSetSource handleSet;

    /**
     * Makes a pool of its parts, which it owns from now on.
     *
     * @param handleSet what to wait on
     * @param order     which follower is promoted
     */
    public LeaderFollowersPool(HandleSetSource handleSet, PromotionOrder order) {
        super(order, List.of(handleSet));
        this.handleSet = handleSet;
    }

    /**
     * Makes a pool on a handle set, of the handle set's own kind.
     *
     * @param demultiplexer an empty handle set; the pool owns it from now on
     * @param order         which follower is promoted
     */
    public LeaderFollowersPool(SynchronousEventDemultiplexer demultiplexer, PromotionOrder order) {
        this(new HandleSetSource(demultiplexer), order);
    }

    /**
     * Opens a pool on a demultiplexer by name.
     *
     * @param demultiplexer a name as for {@link Demultiplexers#openSynchronous(String)}
     * @param order         which follower is promoted
     * @return the pool; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name; the message lists the right
     *                                  ones
     * @throws IOException              if the system refuses
     */
    public static LeaderFollowersPool open(String demultiplexer, PromotionOrder order) throws IOException {
        return new LeaderFollowersPool(Demultiplexers.openSynchronous(demultiplexer), order);
    }

    /**
     * Opens a pool that has a leader even if the handle set is concurrent, or that must not have one.
     *
     * @param demultiplexer a name as for {@link Demultiplexers#openSynchronous(String)}
     * @param order         which follower is promoted
     * @param kind          what to use the handle set as
     * @return the pool; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name, or it is an iterative handle
     *                                  set and the kind is concurrent
     * @throws IOException              if the system refuses
     */
    public static LeaderFollowersPool open(String demultiplexer, PromotionOrder order, HandleSetKind kind)
            throws IOException {
        SynchronousEventDemultiplexer opened = Demultiplexers.openSynchronous(demultiplexer);
        try {
            return new LeaderFollowersPool(new HandleSetSource(opened, kind), order);
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    /** {@return what it waits on, with everything that can be done to its handles} */
    public HandleSetSource handleSet() {
        return handleSet;
    }

    /**
     * Registers a handler for more events on its own handle.
     *
     * @param handler asked for its {@link EventHandler#handle()}
     * @param events  bits of {@link EventType#IO}, added to those it is registered for
     * @throws IOException as {@link HandleSetSource#registerHandler(Handle, EventHandler, int, Promotion)}
     */
    public void registerHandler(EventHandler handler, int events) throws IOException {
        handleSet.registerHandler(handler, events);
    }

    /**
     * Ends the registration of a handler with its own handle, see {@link HandleSetSource#removeHandler}.
     *
     * @param handler asked for its {@link EventHandler#handle()}
     */
    public void removeHandler(EventHandler handler) {
        handleSet.removeHandler(handler.handle());
    }

    /**
     * Pauses a handle until {@link #reactivateHandle}, see {@link HandleSetSource#deactivateHandle}.
     *
     * @param handle which
     */
    public void deactivateHandle(Handle handle) {
        handleSet.deactivateHandle(handle);
    }

    /**
     * Ends {@link #deactivateHandle}; what became ready meanwhile is dispatched.
     *
     * @param handle which
     */
    public void reactivateHandle(Handle handle) {
        handleSet.reactivateHandle(handle);
    }

    /** {@return for example {@code leader/followers pool on epoll}} */
    @Override
    public String toString() {
        return "leader/followers pool on " + handleSet.demultiplexer().name();
    }
}
