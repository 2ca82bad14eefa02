package dev.sluice.dispatch;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.EventTarget;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.Failures;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.handle.spi.HandleUse;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * What a {@link HandlerEntry} is about: a handle, its handler, its membership in the handle set, and the changes of
 * these. What is changed counts at once, also while a hook runs, and before the registration is made, which another
 * thread may have requested.
 *
 * <p>A handle is <i>suspended</i> while one of its hooks has the loop or the pool wait: it may be ready all that time,
 * and must not be reported again.
 */
abstract class RegisteredHandle extends Registration implements EventTarget, HandleUse, CloseListener, Runnable {

    final HandlerTable table;
    final Handle handle;

    // Changed under the lock

    volatile EventHandler handler;
    /** What hooks are called on: the handler, or what traces it. */
    volatile EventHandler hooks;
    /** Whether the registration has ended, or could not be made. */
    volatile boolean ended;
    final WantedEvents wanted;

    // Used under the lock; the membership also by a thread that calls hooks

    /** Null before the registration is made. */
    Membership membership;
    /** Number of hooks that need the set to be silent about the handle until they have returned. */
    int suspensions;
    /** Whether the set has to be asked after a dispatch to report the handle again. */
    boolean rearms;
    /** Whether a hook that runs the loop may be called again for its own handle. */
    boolean reenters;
    final EndNotice notice = new EndNotice();

    RegisteredHandle(HandlerTable table, Handle handle, EventHandler handler, Interest interest) {
        this.table = table;
        this.handle = handle;
        this.handler = handler;
        this.hooks = handler;
        this.wanted = new WantedEvents(interest);
    }

    /** Begins a step. */
    abstract void lock();

    /** Undoes {@link #lock()}. */
    abstract void unlock();

    /**
     * Ends the registration, once.
     *
     * @param cause what the handler is to be notified of first, or null
     * @return false if it has ended already
     */
    public abstract boolean end(Throwable cause);

    // What programs see

    @Override
    public final Handle handle() {
        return handle;
    }

    @Override
    public final EventHandler handler() {
        return handler;
    }

    @Override
    public final Dispatcher dispatcher() {
        return table.owner();
    }

    @Override
    public final Interest interest() {
        return wanted.interest;
    }

    @Override
    public final boolean isOpen() {
        return !ended;
    }

    @Override
    public final boolean isPaused() {
        return wanted.paused;
    }

    @Override
    public final void interest(Interest interest) {
        request(RegisteredHandle::replaceInterest, Objects.requireNonNull(interest, "interest"));
    }

    @Override
    public final void pause() {
        request((changed, none) -> {
            changed.wanted.paused = true;
            changed.awaitWanted();
        }, null);
    }

    @Override
    public final void resume() {
        request((changed, none) -> {
            changed.wanted.paused = false;
            changed.awaitWanted();
        }, null);
    }

    private void request(Change change, Interest interest) {
        StackReserve.requireForCall();
        if (table.mayUse()) {
            change(change, interest);
        } else {
            table.performOrEnqueue(() -> change(change, interest));
        }
    }

    @Override
    public final void handOver(EventHandler next) throws IOException {
        Objects.requireNonNull(next, "next");
        performHere("handOver", () -> giveTo(next));
    }

    final void performHere(String method, Confinement.Change change) throws IOException {
        StackReserve.requireForCall();
        if (!table.perform(change)) {
            throw new IllegalStateException(
                    method + ": only the loop thread may call this; use execute(...) of " + table.owner());
        }
    }

    @Override
    public final void close() {
        StackReserve.requireForCall();
        table.performOrEnqueue(this);
    }

    /** {@return the handle and what it is registered for} */
    @Override
    public final String toString() {
        return "registration of " + handle + " for " + wanted.interest;
    }

    // What connections ask for, where they may use the table

    /**
     * Waits until the handle is writable, whatever the user is interested in and also while that is paused.
     *
     * @param waits whether to wait for that
     */
    public final void awaitOutput(boolean waits) {
        change(waits ? RegisteredHandle::beginOutput : RegisteredHandle::endOutput, null);
    }

    /** Waits for no input until {@link #releaseInput()} has been called as often as this. */
    public final void holdInput() {
        change((changed, none) -> {
            changed.wanted.inputHolds++;
            changed.awaitWanted();
        }, null);
    }

    /** Undoes one {@link #holdInput()}. */
    public final void releaseInput() {
        change((changed, none) -> {
            changed.wanted.inputHolds--;
            changed.awaitWanted();
        }, null);
    }

    /** {@return whether hooks for input are called now} */
    public final boolean receivesInput() {
        return (membership.events() & EventType.READ) != 0;
    }

    /**
     * Notifies a connection of the end, after its handler, and that when its hooks have returned.
     *
     * @param listener notified once
     */
    public final void notifyAtEnd(EndListener listener) {
        notice.listener = listener;
    }

    // For the pools

    /** {@return when the handle set reports a handle that is ready} */
    protected final Trigger trigger() {
        return table.trigger();
    }

    // Registration

    /** Enters the handle set, perhaps without being reported. Called under the lock. */
    final void enterSet(SynchronousEventDemultiplexer demultiplexer, boolean silent) throws IOException {
        int events = wanted.events(wanted.interest);
        Descriptor descriptor = Descriptors.of(handle);
        boolean opened = false;
        try {
            descriptor.beginUse(this);
            serveBy(handler);
            descriptor.addCloseListener(this);
            if (silent) {
                // In any other order an event might come in between.
                membership = demultiplexer.register(handle, 0, this);
                membership.deactivate();
                membership.setEvents(events);
            } else {
                membership = demultiplexer.register(handle, events, this);
            }
            opened = true;
        } finally {
            if (!opened) {
                ended = true;
                descriptor.endUse(this);
                descriptor.removeCloseListener(this);
                if (membership != null) {
                    membership.remove();
                }
            }
        }
    }

    /** Called after the registration, for a close that came too early to find it. */
    final void endIfClosedMeanwhile() {
        if (membership != null && !membership.isValid()) {
            end(null);
        }
    }

    private void serveBy(EventHandler newHandler) {
        hooks = TracedHandler.of(newHandler, table.trace());
        rearms = table.rearms(newHandler);
        reenters = !table.isShared() && newHandler.isReentrant();
        handler = newHandler;
    }

    /** Records the calls of its hooks from now on, unless the trace is null. */
    final void recordTo(DispatchTrace trace) {
        lock();
        try {
            if (!ended) {
                hooks = TracedHandler.of(handler, trace);
            }
        } finally {
            unlock();
        }
    }

    // Changes, by any thread where there is a lock

    /**
     * Checks that another handler may take over.
     *
     * @param next the other one
     * @throws IllegalArgumentException if not
     */
    protected void requireMayTakeOver(EventHandler next) {
        // In a reactor any handler may.
    }

    /**
     * Gives the handle to another handler, which is called from the next hook on, also for events that have been
     * reported and not been dispatched.
     */
    private void giveTo(EventHandler next) throws IOException {
        lock();
        try {
            if (ended) {
                throw new IllegalStateException("handOver: the registration of " + handle + " has ended");
            }
            requireMayTakeOver(next);
            serveBy(next);
            if (membership != null && !table.isShared() && trigger() == Trigger.EDGE) {
                membership.rearm();
            }
        } finally {
            unlock();
        }
    }

    private void replaceInterest(Interest next) throws IOException {
        wanted.await(next, this);
        wanted.interest = next;
    }

    private void beginOutput(Interest none) throws IOException {
        wanted.output = true;
        awaitWanted();
    }

    private void endOutput(Interest none) throws IOException {
        wanted.output = false;
        awaitWanted();
    }

    private void awaitWanted() throws IOException {
        wanted.await(wanted.interest, this);
    }

    /** Suspends reports of the handle until a hook has returned, which then ends the suspension. */
    protected final void suspend() {
        change((changed, none) -> {
            changed.suspensions++;
            changed.membership.deactivate();
        }, null);
    }

    /** {@return whether a running hook has suspended reports of the handle} For the only thread that calls hooks. */
    protected final boolean isSuspended() {
        return suspensions > 0;
    }

    @Override
    public final void reportAgain() {
        change((changed, none) -> changed.membership.rearm(), null);
    }

    /** A step under the lock. It captures nothing, so that it is not allocated. */
    private interface Change {
        void apply(RegisteredHandle changed, Interest wanted) throws IOException;
    }

    private void change(Change change, Interest wanted) {
        Throwable refusal;
        lock();
        try {
            if (!ended) {
                change.apply(this, wanted);
            }
            return;
        } catch (HandleClosedException e) {
            // As good as not registered.
            return;
        } catch (IOException | UncheckedIOException e) {
            refusal = e;
        } finally {
            unlock();
        }
        end(refusal);
    }

    // The end

    @Override
    public final void handleClosing(Handle closing) {
        table.performOrEnqueue(this);
    }

    /** Ends the registration because it, or its handle, was closed. */
    @Override
    public final void run() {
        end(null);
    }

    /** Leaves the handle set. Called under the lock. */
    final void leaveSet(Throwable cause) {
        notice.failure = cause;
        try {
            if (membership != null) {
                Descriptor descriptor = Descriptors.of(handle);
                descriptor.endUse(this);
                descriptor.removeCloseListener(this);
                membership.remove();
            }
        } catch (RuntimeException | Error e) {
            // The handler must still be notified, so that it can release the handle.
            notice.failure = Failures.and(cause, e);
        }
    }
}
