package dev.sluice.dispatch;

import dev.sluice.demultiplexer.spi.EventTarget;
import dev.sluice.demultiplexer.spi.Registration;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.Failures;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.EventHandler;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a {@link HandlerEntry} is about: a handle, its handler, its registration with the handle set, the changes of
 * these, and how the handler is notified of the end. What is changed counts at once, also while a hook runs.
 *
 * <p>A handle is active unless it is paused or suspended. Its user <i>pauses</i> it. It is <i>suspended</i> while one
 * of its hooks has the loop or the pool wait: it may be ready all that time, and must not be reported again.
 */
abstract class RegisteredHandle implements EventTarget, CloseListener, Runnable {

    final HandlerTable table;
    final Handle handle;

    // Changed under the lock

    volatile EventHandler handler;
    /** What hooks are called on: the handler, or what traces it. */
    volatile EventHandler hooks;
    /** Whether its user wants it to be silent. */
    volatile boolean paused;

    // Used under the lock; the registration also by a thread that calls hooks

    Registration registration;
    /** The events it is registered for, which the registration forgets when another thread closes the handle. */
    int events;
    /** How many hooks need the set to be silent about the handle until they have returned. */
    int suspensions;
    /** Whether the set has to be asked after a dispatch to report the handle again. */
    boolean rearms;
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

    final boolean hasEnded() {
        lock();
        try {
            return isOver();
        } finally {
            unlock();
        }
    }

    /** {@return the handler that serves the handle} */
    protected final EventHandler handler() {
        return handler;
    }

    /** {@return when the handle set reports a handle that is ready} */
    protected final Trigger trigger() {
        return table.trigger();
    }

    // Registration

    /** Enters the handle set, perhaps without being reported. Called under the lock. */
    final void enterSet(SynchronousEventDemultiplexer demultiplexer, int wanted, boolean silent) throws IOException {
        events = wanted;
        boolean opened = false;
        try {
            serveBy(handler);
            Descriptors.of(handle).addCloseListener(this);
            if (silent) {
                // In any other order an event might come in between.
                registration = demultiplexer.register(handle, 0, this);
                registration.deactivate();
                registration.setEvents(wanted);
            } else {
                registration = demultiplexer.register(handle, wanted, this);
            }
            opened = true;
        } finally {
            if (!opened) {
                Descriptors.of(handle).removeCloseListener(this);
                if (registration != null) {
                    registration.remove();
                }
            }
        }
    }

    /** Called after the registration, for a close that came too early to find it. */
    final void endIfClosedMeanwhile() {
        if (registration != null && !registration.isValid()) {
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
     *
     * @return false if this is not the handler's registration
     */
    final boolean handOver(EventHandler from, EventHandler next) throws IOException {
        lock();
        try {
            if (isOver() || handler != from) {
                return false;
            }
            requireMayTakeOver(next);
            serveBy(next);
            if (!table.isShared() && trigger() == Trigger.EDGE) {
                registration.rearm();
            }
            return true;
        } finally {
            unlock();
        }
    }

    /** {@return false if the registration has ended} */
    final boolean addEvents(EventHandler asking, int more) throws IOException {
        lock();
        try {
            if (isOver()) {
                return false;
            }
            if (handler != asking) {
                throw new IllegalStateException(handle + " cannot be registered with " + asking
                        + ", it is registered with " + handler + " already");
            }
            setEvents(events | more);
            return true;
        } finally {
            unlock();
        }
    }

    private void setEvents(int wanted) throws IOException {
        try {
            registration.setEvents(wanted);
            events = wanted;
        } catch (IllegalStateException e) {
            if (registration.isValid()) {
                throw e;
            }
            // Another thread has closed the handle, and ends this.
            throw new HandleClosedException(handle);
        }
    }

    final void changeEvents(int wanted) {
        change(RegisteredHandle::setEvents, wanted);
    }

    final void setActive(boolean active) {
        change(active ? RegisteredHandle::endPause : RegisteredHandle::pause, 0);
    }

    private void pause(int none) throws IOException {
        paused = true;
        registration.deactivate();
    }

    private void endPause(int none) throws IOException {
        paused = false;
        if (suspensions == 0 && !isWaiting()) {
            registration.activate();
        }
    }

    /** Suspends reports of the handle until a hook has returned, which then ends the suspension. */
    protected final void suspend() {
        change(RegisteredHandle::addSuspension, 0);
    }

    /** {@return whether a running hook has suspended reports of the handle} For the only thread that calls hooks. */
    protected final boolean isSuspended() {
        return suspensions > 0;
    }

    private void addSuspension(int none) throws IOException {
        suspensions++;
        registration.deactivate();
    }

    @Override
    public final void reportAgain() {
        change(RegisteredHandle::rearm, 0);
    }

    private void rearm(int none) throws IOException {
        registration.rearm();
    }

    /** A step under the lock. It captures nothing, so that it is not allocated. */
    private interface Change {
        void apply(RegisteredHandle changed, int argument) throws IOException;
    }

    private void change(Change change, int argument) {
        Throwable refusal;
        lock();
        try {
            if (!isOver()) {
                change.apply(this, argument);
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
        table.handleClosing(this);
    }

    /** Ends the registration because its handle was closed. */
    @Override
    public final void run() {
        end(null);
    }

    /** Leaves the handle set. Called under the lock. */
    final void leaveSet(Throwable cause) {
        failure = cause;
        try {
            Descriptors.of(handle).removeCloseListener(this);
            registration.remove();
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
            hooks.handleClose(handle, events);
        } catch (Throwable e) {
            notifyOf(e);
        }
    }

    final void notifyOf(Throwable cause) {
        try {
            hooks.handleFailure(handle, cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(handler, cause, e);
        }
    }
}
