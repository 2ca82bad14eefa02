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
 * An entry of the {@link HandlerTable}, which is also the attachment of its registration, so that an event leads to its
 * handler without a lookup.
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
 * <p>It stays REQUESTED only if another thread than the loop thread registers the handle. Changes that the loop thread
 * makes in the meantime apply to the registration; if they end it, the handle is not registered.
 *
 * <p>If no hook of the handle is running, the thread that ends the registration notifies the handler; otherwise the
 * last dispatcher does, when its hook has returned. If a hook ends its own registration, the {@link CloseTiming}
 * determines whether the handler is notified immediately. A waiting entry counts the running hooks of its predecessors
 * as its own, so the hooks of one handle are never called by two threads concurrently, unless it is a concurrent
 * handle.
 *
 * <p>The state is guarded by the entry's lock, or, if the table has no locks, confined to one thread at a time. Hooks
 * are never called under the lock. Neither a dispatch nor an end allocates memory.
 */
public class HandlerEntry extends RegisteredHandle {

    // States. Not an enum, because storing a reference costs a garbage collector barrier, twice in each dispatch.
    private static final int REQUESTED = 0;
    private static final int WAITING = 1;
    private static final int IDLE = 2;
    private static final int DISPATCHING = 3;
    private static final int ENDING = 4;
    /** No longer registered; the handler has been notified, or is being notified. */
    private static final int ENDED = 5;

    /** The lock; null if one thread at a time uses the table. */
    private final ReentrantLock guard;

    // Accessed under the guard

    private int state = REQUESTED;
    /** Number of threads that are calling hooks of the handle. A waiting entry counts one for its predecessors. */
    private int dispatchers;
    /** The latest of these threads; null if there are none, or if one thread at a time uses the table. */
    private Thread busy;

    // Numbers of inputs and outputs, for the idle timeout. Written by a thread that calls hooks

    int inputs;
    int outputs;
    /** The idle timeout; null if none is set. */
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
     * calling a hook until it {@linkplain HandlerTable#leave leaves}, so that an entry that is registered in the
     * meantime waits.
     */
    HandlerEntry(HandlerTable table, Handle handle) {
        this(table, handle, null, Interest.NONE);
        ended = true;
        if (guard != null) {
            markBusy();
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

    /** {@return whether several threads may call hooks concurrently} Only in a pool. */
    protected boolean isConcurrent() {
        return false;
    }

    // For connections

    /** {@return whether several threads dispatch} */
    public final boolean isShared() {
        return guard != null;
    }

    /** {@return whether the caller is the loop thread, or the thread of several that is inside a hook of the handle} */
    public final boolean isCaller() {
        return guard == null ? table.mayUse() : busy == Thread.currentThread();
    }

    // Registration

    /** Makes this entry wait for running hooks of an earlier registration, if any. Called before it is in the table. */
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
            // Before the hooks, because a loop that one of them runs must report the handle.
            reportAgain();
        }
        try {
            return callHooks(ready);
        } finally {
            release(rearms && !(armed && reenters), suspensions);
        }
    }

    /**
     * Called when the handle is ready while one of its hooks runs the loop. A level-triggered set would report it in
     * every wait, so it is suspended. This is done only now, because most hooks that run the loop do not need it.
     *
     * <p>If several threads dispatch, the set can report the handle only during an idle hook, which suspends the handle
     * itself. Events that are dropped here are reported again when that hook has returned.
     */
    private void suspendRunningHook() {
        if (guard == null && state == DISPATCHING && suspensions == 0) {
            suspend();
        }
    }

    /**
     * Makes the caller a dispatcher, unless the registration has ended, or a hook is running and the handler is neither
     * re-entrant nor concurrent.
     *
     * @return whether the caller must call the hooks, and then {@linkplain #release release} this entry
     */
    protected final boolean claim() {
        lock();
        try {
            boolean free = state == IDLE || state == DISPATCHING && (reenters || isConcurrent());
            if (free) {
                state = DISPATCHING;
                markBusy();
            }
            return free;
        } finally {
            unlock();
        }
    }

    private void markBusy() {
        dispatchers++;
        if (guard != null) {
            busy = Thread.currentThread();
        }
    }

    private void markIdle() {
        state = IDLE;
        dispatchers = 0;
        if (guard != null) {
            busy = null;
        }
    }

    /**
     * Calls the hooks for the events that the handle is still registered for. An exception ends a registration.
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
            // Output first, because it frees space in the buffers that input would fill.
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
        // Not the active events, because a pool deactivates a handle while its hooks run.
        return event != 0 && (membership.events() & event) != 0;
    }

    /** Counts an output that did not wait until the handle was writable. Called by a thread inside a hook. */
    public final void countOutput() {
        outputs++;
    }

    @Override
    public final void idleTimeout(Interest direction, Duration duration) {
        HandleIdleTimeout.set(this, direction, duration);
    }

    /**
     * Adds an exception of a hook to the notification of the end.
     *
     * @return false if the handler has already been notified
     */
    final boolean addFailure(Throwable cause) {
        lock();
        try {
            boolean notified = state == ENDED;
            if (!notified) {
                notice.addFailure(this, cause);
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
     * Called when the hooks that the caller has called have returned. The last dispatcher notifies the handler of an
     * end that occurred in the meantime, and allows the next registration of the handle to proceed.
     *
     * @param rearm       whether the set must be rearmed to report the handle again
     * @param resumptions the number of suspensions that end now
     */
    protected final void release(boolean rearm, int resumptions) {
        boolean notifies;
        lock();
        try {
            suspensions -= resumptions;
            if (state == DISPATCHING) {
                proceed(rearm, resumptions > 0);
            }
            if (dispatchers > 1) {
                dispatchers--;
                return;
            }
            if (state == DISPATCHING) {
                // A thread that has already got a further event of the handle waits for the lock.
                markIdle();
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

    /**
     * Makes the set report the handle again. If that fails, the registration ends, because no event would ever be
     * reported.
     */
    private void proceed(boolean rearm, boolean resume) {
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

    /**
     * Called when the predecessor has left. Returns true if this entry has ended and must leave, too; false if it
     * proceeds.
     */
    final boolean endsAfterPredecessor() {
        boolean notifies;
        lock();
        try {
            if (state == WAITING) {
                proceed(true, true);
            }
            if (state == WAITING) {
                markIdle();
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

    // End of the registration

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
                markBusy();
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

    /** {@return whether the caller may notify the handler although hooks are running, because they are its own} */
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
