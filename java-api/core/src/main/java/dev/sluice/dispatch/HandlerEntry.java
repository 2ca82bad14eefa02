package dev.sluice.dispatch;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A tuple of the {@link HandlerTable}, and the attachment of its registration, so that an event finds its handler
 * without a look-up.
 *
 * <pre>
 *             an earlier registration of the handle has not left
 *  REQUESTED -----------------------------------------------------> WAITING
 *     | register                                                       | it has left
 *     v                 claim; of a concurrent handle, again           v
 *   IDLE ------------------------------------------------------> DISPATCHING
 *     ^------------------- release by the last dispatcher --------------
 *
 *   each of them -- end --> ENDING -- handleFailure, handleClose --> ENDED -- leaves the table
 * </pre>
 *
 * <p>It is REQUESTED for longer only if another thread than the loop thread has asked for it. What the loop thread
 * changes by then counts when it is made; if that ends it, it is not made.
 *
 * <p>Which thread notifies the handler of the end: if no hook of the handle is running, the one that ends the
 * registration; otherwise the last dispatcher, when its hook has returned. If a hook ends its own registration, the
 * {@link CloseTiming} decides whether it is notified at once. A waiting entry counts the hooks of its predecessors as
 * its own, so the hooks of one handle are never called by two threads at once, unless it is a concurrent handle.
 *
 * <p>All of it is guarded by the entry's lock, or, if the table has none, used by one thread at a time. Hooks are never
 * called under the lock. A dispatch allocates nothing, and an end needs no memory.
 */
public class HandlerEntry extends RegisteredHandle {

    // States. No enum, since storing a reference costs a barrier of the collector, twice in each dispatch.
    private static final int REQUESTED = 0;
    private static final int WAITING = 1;
    private static final int IDLE = 2;
    private static final int DISPATCHING = 3;
    private static final int ENDING = 4;
    /** Not registered any more, and its handler has been notified, or is being notified. */
    private static final int ENDED = 5;

    /** Null if one thread at a time uses the table. */
    private final ReentrantLock guard;

    // Used under the guard

    private int state = REQUESTED;
    /** How many threads are calling hooks of the handle. A waiting entry counts one for its predecessors. */
    private int dispatchers;
    /** The last of them; null if there are none, and if one thread at a time uses the table. */
    private Thread busy;

    // How often something was received or sent. Written by a thread that calls hooks.

    int inputs;
    int outputs;
    /** Null unless it was asked for. */
    volatile HandleIdleTimeout idleTimeout;

    /** The next registration of the same handle, which waits for this one. Guarded by the table. */
    HandlerEntry successor;

    /** Creates an entry, to be {@linkplain HandlerTable#register registered} in its table. */
    public HandlerEntry(HandlerTable table, Handle handle, EventHandler handler, Interest interest) {
        super(table, handle, handler, interest);
        this.guard = table.newGuard();
    }

    /**
     * Creates an entry that has ended and was never registered. If there are several threads, the caller counts as
     * calling a hook until it {@linkplain HandlerTable#leave leaves}, so that what is registered in the meantime waits.
     */
    HandlerEntry(HandlerTable table, Handle handle) {
        this(table, handle, null, Interest.NONE);
        ended = true;
        if (guard != null) {
            beBusy();
        }
    }

    @Override
    protected final void lock() {
        if (guard == null) {
            assert table.isConfined();
        } else {
            guard.lock();
        }
    }

    @Override
    protected final void unlock() {
        if (guard != null) {
            guard.unlock();
        }
    }

    /** {@return whether several threads may call hooks at once} Only in a pool. */
    protected boolean isConcurrent() {
        return false;
    }

    // For connections

    /** {@return whether several threads dispatch} */
    public final boolean isShared() {
        return guard != null;
    }

    /** {@return whether the caller is the loop thread, or the one of several that is inside a hook of the handle} */
    public final boolean isCaller() {
        return guard == null ? table.mayUse() : busy == Thread.currentThread();
    }

    // Registration

    /** Makes this wait for running hooks of an earlier registration, if any. Called before it is in the table. */
    final void awaitEndOf(HandlerEntry predecessor) {
        predecessor.lock();
        try {
            dispatchers = Math.min(1, predecessor.dispatchers);
            busy = predecessor.busy;
        } finally {
            predecessor.unlock();
        }
    }

    /** Registers the handle. Called under the lock. */
    final void open(SynchronousEventDemultiplexer demultiplexer) throws IOException {
        boolean waits = dispatchers > 0;
        enterSet(demultiplexer, waits);
        state = waits ? WAITING : IDLE;
    }

    // Dispatching

    @Override
    public final int dispatch(int ready) {
        if (!claim()) {
            suspendRunningHook();
            return 0;
        }
        boolean armed = reenters && rearms;
        if (armed) {
            // Before the hooks, as the loop that one of them runs is to report the handle.
            reportAgain();
        }
        try {
            return callHooks(ready);
        } finally {
            release(rearms && !(armed && reenters), suspensions);
        }
    }

    /**
     * The handle is ready, and one of its hooks runs the loop. The set would report a level-triggered handle in every
     * wait, so it is told to be silent; most hooks that run the loop never cause that.
     *
     * <p>Where several threads dispatch, only an idle hook runs while the set may report the handle, or has done so: it
     * silences the handle itself, and what is dropped here is reported again when that hook has returned.
     */
    private void suspendRunningHook() {
        if (guard == null && state == DISPATCHING && suspensions == 0) {
            suspend();
        }
    }

    /**
     * Makes the caller a dispatcher, unless the registration has ended, or a hook is running that is not re-entrant and
     * whose handle is not a concurrent one.
     *
     * @return whether the caller is to call hooks, and then to {@linkplain #release release} this
     */
    protected final boolean claim() {
        lock();
        try {
            boolean free = state == IDLE || state == DISPATCHING && (reenters || isConcurrent());
            if (free) {
                state = DISPATCHING;
                beBusy();
            }
            return free;
        } finally {
            unlock();
        }
    }

    private void beBusy() {
        dispatchers++;
        if (guard != null) {
            busy = Thread.currentThread();
        }
    }

    private void beIdle() {
        state = IDLE;
        dispatchers = 0;
        if (guard != null) {
            busy = null;
        }
    }

    /**
     * Calls the hooks for the events that are still wanted. What they throw ends a registration.
     *
     * @param ready the events that the handle is ready for
     * @return the number of hooks called
     */
    protected final int callHooks(int ready) {
        int count = 0;
        try {
            if (wants(ready & EventType.EXCEPTION)) {
                count++;
                hooks.handleException(this);
            }
            // Output first: it makes room in the buffers that input would fill.
            if (wants(ready & EventType.WRITE)) {
                count++;
                outputs++;
                hooks.handleOutput(this);
            }
            if (wants(ready & EventType.READ)) {
                count++;
                inputs++;
                hooks.handleInput(this);
            }
        } catch (Throwable e) {
            FailedHook.end(this, e);
        }
        return count;
    }

    private boolean wants(int event) {
        // Not the active events: a pool deactivates a handle while its hooks run.
        return event != 0 && (membership.events() & event) != 0;
    }

    /** Counts something that was sent, other than because the handle was writable. For the thread in a hook. */
    public final void countOutput() {
        outputs++;
    }

    @Override
    public final void idleTimeout(Interest direction, Duration duration) {
        HandleIdleTimeout.set(this, direction, duration);
    }

    /**
     * Keeps what a hook has thrown until the handler is notified of the end.
     *
     * @return false if it has been notified already
     */
    final boolean addFailure(Throwable cause) {
        lock();
        try {
            boolean notified = state == ENDED;
            if (!notified) {
                notice.keep(this, cause);
            }
            return !notified;
        } finally {
            unlock();
        }
    }

    /** {@linkplain #release(boolean, int) Releases} an entry that has one dispatcher. */
    protected final void release() {
        release(rearms, suspensions);
    }

    /**
     * The hooks that the caller has called have returned. The last dispatcher notifies the handler of an end that was
     * left to it, and lets the next registration of the handle proceed.
     *
     * @param rearm       whether the set has to be asked to report the handle again
     * @param resumptions the number of suspensions that end with this
     */
    protected final void release(boolean rearm, int resumptions) {
        boolean notifies;
        lock();
        try {
            suspensions -= resumptions;
            if (state == DISPATCHING) {
                goOn(rearm, resumptions > 0);
            }
            if (dispatchers > 1) {
                dispatchers--;
                return;
            }
            if (state == DISPATCHING) {
                // A thread that has got an event of the handle by now waits for the lock.
                beIdle();
                return;
            }
            notifies = state == ENDING;
            state = ENDED;
        } finally {
            unlock();
        }
        if (notifies) {
            notice.send(this);
        }
        table.leave(this);
    }

    /** Makes the set report the handle again. If that fails the registration ends: no event would ever be reported. */
    private void goOn(boolean rearm, boolean resume) {
        try {
            if (rearm) {
                membership.rearm();
            }
            if (resume && suspensions == 0) {
                membership.activate();
            }
        } catch (IOException | RuntimeException | Error e) {
            beginEnd(e);
        }
    }

    /** {@return false if this proceeds now that its predecessor has left; otherwise it has ended, and leaves, too} */
    final boolean endsAfterPredecessor() {
        boolean notifies;
        lock();
        try {
            if (state == WAITING) {
                goOn(true, true);
            }
            if (state == WAITING) {
                beIdle();
            }
            if (!ended) {
                return false;
            }
            notifies = state == ENDING;
            state = ENDED;
        } finally {
            unlock();
        }
        if (notifies) {
            notice.send(this);
        }
        return true;
    }

    // The end

    @Override
    public final boolean end(Throwable cause) {
        boolean idle;
        lock();
        try {
            if (ended) {
                return false;
            }
            beginEnd(cause);
            idle = dispatchers == 0;
            if (!idle && !notifiesInHook()) {
                return true;
            }
            state = ENDED;
            if (idle) {
                beBusy();
            }
        } finally {
            unlock();
        }
        notice.send(this);
        if (idle) {
            table.leave(this);
        }
        return true;
    }

    /** {@return whether the caller may notify the handler though hooks are running, as they are its own} */
    private boolean notifiesInHook() {
        return table.closeTiming() == CloseTiming.IN_HOOK && notice.listener == null
                && (guard == null || busy == Thread.currentThread());
    }

    private void beginEnd(Throwable cause) {
        state = ENDING;
        ended = true;
        leaveSet(cause);
    }
}
