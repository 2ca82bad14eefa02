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
 * The handle of a {@link HandlerEntry}, its handler, its membership in the handle set, and changes of these. Changes
 * take effect immediately, even while a hook is running, or before a registration that another thread has requested is
 * made.
 *
 * <p>A handle is <i>suspended</i> while one of its hooks makes the loop or the pool wait: it may be ready all that
 * time, but must not be reported again.
 */
abstract class RegisteredHandle extends Registration implements EventTarget, HandleUse, CloseListener, Runnable {

    final HandlerTable table;
    final Handle handle;

    // Changed under the lock

    volatile EventHandler handler;
    /** The object that hooks are called on: the handler, or its decorator for tracing. */
    volatile EventHandler hooks;
    /** Whether the registration has ended, or could not be made. */
    volatile boolean ended;
    final WantedEvents wanted;

    // Accessed under the lock; the membership also by a thread that calls hooks

    /** The membership; null before the registration is made. */
    Membership membership;
    /** Number of hooks during which the set must not report the handle. */
    int suspensions;
    /** Whether the set must be rearmed after a dispatch to report the handle again. */
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

    /** Acquires the lock, if there is one. */
    abstract void lock();

    /** Releases the lock, if there is one. */
    abstract void unlock();

    /**
     * Ends the registration.
     *
     * @param cause the failure that the handler is to be notified of; null for none
     * @return false if it has already ended
     */
    public abstract boolean end(Throwable cause);

    // The interface for programs

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
            changed.applyWanted();
        }, null);
    }

    @Override
    public final void resume() {
        request((changed, none) -> {
            changed.wanted.paused = false;
            changed.applyWanted();
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
        performHere("handOver", () -> replaceHandler(next));
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

    /** {@return the handle and the events that it is registered for} */
    @Override
    public final String toString() {
        return "registration of " + handle + " for " + wanted.interest;
    }

    // For connections, on threads that may use the table

    /**
     * Sets whether the set waits until the handle is writable, regardless of the user's interest and pauses.
     *
     * @param waits true to wait for that
     */
    public final void awaitOutput(boolean waits) {
        change(waits ? RegisteredHandle::beginOutput : RegisteredHandle::endOutput, null);
    }

    /** Stops waiting for input until {@link #releaseInput()} has been called as often as this method. */
    public final void holdInput() {
        change((changed, none) -> {
            changed.wanted.inputHolds++;
            changed.applyWanted();
        }, null);
    }

    /** Undoes one {@link #holdInput()}. */
    public final void releaseInput() {
        change((changed, none) -> {
            changed.wanted.inputHolds--;
            changed.applyWanted();
        }, null);
    }

    /** {@return whether hooks for input are called now} */
    public final boolean receivesInput() {
        return (membership.events() & EventType.READ) != 0;
    }

    /**
     * Sets the listener for the end. It is notified after the handler, which is then notified after its hooks have
     * returned.
     *
     * @param listener the listener
     */
    public final void notifyAtEnd(EndListener listener) {
        notice.listener = listener;
    }

    // For the pools

    /** {@return the rule by which the handle set reports a ready handle} */
    protected final Trigger trigger() {
        return table.trigger();
    }

    // Registration

    /** Enters the handle set, initially deactivated if requested. Called under the lock. */
    final void enterSet(SynchronousEventDemultiplexer demultiplexer, boolean deactivated) throws IOException {
        int events = wanted.events(wanted.interest);
        Descriptor descriptor = Descriptors.of(handle);
        boolean opened = false;
        try {
            descriptor.beginUse(this);
            setHandler(handler);
            descriptor.addCloseListener(this);
            if (deactivated) {
                // In any other order the set might report an event in between.
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

    /** Called after the registration. Ends it if the handle was closed before the close could find it. */
    final void endIfClosed() {
        if (membership != null && !membership.isValid()) {
            end(null);
        }
    }

    private void setHandler(EventHandler newHandler) {
        hooks = TracedHandler.of(newHandler, table.trace());
        rearms = table.rearms(newHandler);
        reenters = !table.isShared() && newHandler.isReentrant();
        handler = newHandler;
    }

    /** Records the calls of its hooks from now on; not if the trace is null. */
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

    // Changes, by any thread if there is a lock

    /**
     * Checks that another handler may take over.
     *
     * @param next the other handler
     * @throws IllegalArgumentException if it may not
     */
    protected void requireMayTakeOver(EventHandler next) {
        // In a reactor any handler may take over.
    }

    /**
     * Replaces the handler. The next one is called from the next hook on, also for events that have been reported but
     * not dispatched.
     */
    private void replaceHandler(EventHandler next) throws IOException {
        lock();
        try {
            if (ended) {
                throw new IllegalStateException("handOver: the registration of " + handle + " has ended");
            }
            requireMayTakeOver(next);
            setHandler(next);
            if (membership != null && !table.isShared() && trigger() == Trigger.EDGE) {
                membership.rearm();
            }
        } finally {
            unlock();
        }
    }

    private void replaceInterest(Interest next) throws IOException {
        wanted.apply(next, this);
        wanted.interest = next;
    }

    private void beginOutput(Interest none) throws IOException {
        wanted.awaitsOutput = true;
        applyWanted();
    }

    private void endOutput(Interest none) throws IOException {
        wanted.awaitsOutput = false;
        applyWanted();
    }

    private void applyWanted() throws IOException {
        wanted.apply(wanted.interest, this);
    }

    /** Suspends the handle until a running hook has returned and ends the suspension. */
    protected final void suspend() {
        change((changed, none) -> {
            changed.suspensions++;
            changed.membership.deactivate();
        }, null);
    }

    /** {@return whether a running hook has suspended the handle} For the only thread that calls hooks. */
    protected final boolean isSuspended() {
        return suspensions > 0;
    }

    @Override
    public final void reportAgain() {
        change((changed, none) -> changed.membership.rearm(), null);
    }

    /** A change under the lock. Implementations capture nothing, so that they are not allocated. */
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
            // The same as an ended registration: the change has no effect.
            return;
        } catch (IOException | UncheckedIOException e) {
            refusal = e;
        } finally {
            unlock();
        }
        end(refusal);
    }

    // End of the registration

    @Override
    public final void handleClosing(Handle closing) {
        table.performOrEnqueue(this);
    }

    /** Ends the registration, because it or its handle was closed. */
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
            // The handler must be notified nevertheless, so that it can close the handle.
            notice.failure = Failures.and(cause, e);
        }
    }
}
