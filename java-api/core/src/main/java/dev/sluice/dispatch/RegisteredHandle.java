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
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a {@link HandlerEntry} is about: a handle, its handler, its membership in the handle set, the changes of these,
 * and how the handler is notified of the end. What is changed counts at once, also while a hook runs.
 *
 * <p>The handle set waits for what the user is interested in, unless the user has paused the handle, and without input
 * while connections hold it back; and for output as long as a connection waits to send. So the user's interest and the
 * library's are never mixed up.
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
    private volatile Interest interest = Interest.NONE;
    private volatile boolean paused;
    volatile boolean ended;

    // Used under the lock; the membership also by a thread that calls hooks

    Membership membership;
    /** For how many reasons no input is to be received. */
    private int inputHolds;
    private boolean awaitsOutput;
    /** How many hooks need the set to be silent about the handle until they have returned. */
    int suspensions;
    /** Whether the set has to be asked after a dispatch to report the handle again. */
    boolean rearms;
    /** Notified after the handler; null for none. */
    EndListener endListener;
    /** Why the registration has ended, if that has to be reported, or what a hook has thrown since. */
    private Throwable failure;
    /** What further hooks have thrown; null, as almost always, if none has. */
    private List<Throwable> furtherFailures;

    RegisteredHandle(HandlerTable table, Handle handle, EventHandler handler) {
        this.table = table;
        this.handle = handle;
        this.handler = handler;
    }

    /** Begins a step. */
    abstract void lock();

    /** Undoes {@link #lock()}. */
    abstract void unlock();

    /** {@return whether there is no registration, not any more or not yet} Called under the lock. */
    abstract boolean isOver();

    /** {@return whether it waits for the hooks of an earlier registration of the handle} Called under the lock. */
    abstract boolean isWaiting();

    /**
     * Ends the registration, once.
     *
     * @param cause what the handler is to be notified of first, or null
     * @return false if it has ended already
     */
    public abstract boolean end(Throwable cause);

    /** Ends what was begun for {@link #idleTimeout}. */
    abstract void endIdleTimeout();

    final boolean hasEnded() {
        lock();
        try {
            return isOver();
        } finally {
            unlock();
        }
    }

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
        return interest;
    }

    @Override
    public final boolean isOpen() {
        return !ended;
    }

    @Override
    public final boolean isPaused() {
        return paused;
    }

    @Override
    public final void interest(Interest wanted) {
        Objects.requireNonNull(wanted, "interest");
        StackReserve.requireForCall();
        if (table.mayUse()) {
            change(RegisteredHandle::setInterest, wanted);
        } else {
            table.performOrEnqueue(() -> change(RegisteredHandle::setInterest, wanted));
        }
    }

    @Override
    public final void pause() {
        change(RegisteredHandle::beginPause);
    }

    @Override
    public final void resume() {
        change(RegisteredHandle::endPause);
    }

    private void change(Change change) {
        StackReserve.requireForCall();
        if (table.mayUse()) {
            change(change, null);
        } else {
            table.performOrEnqueue(() -> change(change, null));
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
        return "registration of " + handle + " for " + interest;
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
        change(RegisteredHandle::addInputHold, null);
    }

    /** Undoes one {@link #holdInput()}. */
    public final void releaseInput() {
        change(RegisteredHandle::removeInputHold, null);
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
        lock();
        try {
            endListener = listener;
        } finally {
            unlock();
        }
    }

    // For the pools

    /** {@return when the handle set reports a handle that is ready} */
    protected final Trigger trigger() {
        return table.trigger();
    }

    // Registration

    /** Enters the handle set, perhaps without being reported. Called under the lock. */
    final void enterSet(SynchronousEventDemultiplexer demultiplexer, Interest wanted, boolean silent)
            throws IOException {
        interest = wanted;
        int events = EventType.of(wanted);
        Descriptor descriptor = Descriptors.of(handle);
        descriptor.beginUse(this);
        boolean opened = false;
        try {
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
        handler = newHandler;
    }

    /** Records the calls of its hooks from now on, unless the trace is null. */
    final void recordTo(DispatchTrace trace) {
        lock();
        try {
            if (!isOver()) {
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
            if (isOver()) {
                throw new IllegalStateException("handOver: the registration of " + handle + " has ended");
            }
            requireMayTakeOver(next);
            serveBy(next);
            if (!table.isShared() && trigger() == Trigger.EDGE) {
                membership.rearm();
            }
        } finally {
            unlock();
        }
    }

    private void setInterest(Interest wanted) throws IOException {
        update(wanted);
        interest = wanted;
    }

    private void beginPause(Interest none) throws IOException {
        paused = true;
        update(interest);
    }

    private void endPause(Interest none) throws IOException {
        paused = false;
        update(interest);
    }

    private void beginOutput(Interest none) throws IOException {
        awaitsOutput = true;
        update(interest);
    }

    private void endOutput(Interest none) throws IOException {
        awaitsOutput = false;
        update(interest);
    }

    private void addInputHold(Interest none) throws IOException {
        inputHolds++;
        update(interest);
    }

    private void removeInputHold(Interest none) throws IOException {
        inputHolds--;
        update(interest);
    }

    /** Makes the handle set wait for what is wanted now. */
    private void update(Interest wanted) throws IOException {
        int events = paused ? 0 : EventType.of(wanted);
        if (inputHolds > 0) {
            events &= ~EventType.READ;
        }
        if (awaitsOutput) {
            events |= EventType.WRITE;
        }
        try {
            membership.setEvents(events);
        } catch (IllegalStateException e) {
            if (membership.isValid()) {
                throw e;
            }
            // Another thread has closed the handle, and ends this.
            throw new HandleClosedException(handle);
        }
    }

    /** Suspends reports of the handle until a hook has returned, which then ends the suspension. */
    protected final void suspend() {
        change(RegisteredHandle::addSuspension, null);
    }

    /** {@return whether a running hook has suspended reports of the handle} For the only thread that calls hooks. */
    protected final boolean isSuspended() {
        return suspensions > 0;
    }

    private void addSuspension(Interest none) throws IOException {
        suspensions++;
        membership.deactivate();
    }

    @Override
    public final void reportAgain() {
        change(RegisteredHandle::rearm, null);
    }

    private void rearm(Interest none) throws IOException {
        membership.rearm();
    }

    /** A step under the lock. It captures nothing, so that it is not allocated. */
    private interface Change {
        void apply(RegisteredHandle changed, Interest wanted) throws IOException;
    }

    private void change(Change change, Interest wanted) {
        Throwable refusal;
        lock();
        try {
            if (!isOver()) {
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
        failure = cause;
        try {
            Descriptor descriptor = Descriptors.of(handle);
            descriptor.endUse(this);
            descriptor.removeCloseListener(this);
            membership.remove();
        } catch (RuntimeException | Error e) {
            // The handler must still be notified, so that it can release the handle.
            failure = Failures.and(cause, e);
        }
    }

    /** Keeps what a hook has thrown until the handler is notified. Called under the lock. */
    final void keepFailure(Throwable cause) {
        if (failure == null) {
            failure = cause;
            return;
        }
        try {
            if (furtherFailures == null) {
                furtherFailures = new ArrayList<>();
            }
            furtherFailures.add(cause);
        } catch (OutOfMemoryError e) {
            HookFailure.logUndelivered(handler, cause, e);
        }
    }

    final void notifyOfEnd() {
        if (failure != null) {
            notifyOf(failure);
        }
        for (int i = 0; furtherFailures != null && i < furtherFailures.size(); i++) {
            notifyOf(furtherFailures.get(i));
        }
        try {
            endIdleTimeout();
        } catch (Throwable e) {
            notifyOf(e);
        }
        try {
            hooks.handleClose(this);
        } catch (Throwable e) {
            notifyOf(e);
        }
        if (endListener != null) {
            notifyListener();
        }
    }

    private void notifyListener() {
        try {
            endListener.handleEnd(failure);
        } catch (Throwable e) {
            notifyOf(e);
        }
    }

    final void notifyOf(Throwable cause) {
        try {
            hooks.handleFailure(this, cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(handler, cause, e);
        }
    }
}
