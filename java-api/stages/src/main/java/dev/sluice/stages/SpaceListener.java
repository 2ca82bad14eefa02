package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A listener that is called once when an {@link EventQueue} that was full has space again, see
 * {@link EventQueue#notifyWhenHalfEmpty}. It can be registered with one queue at a time, so a producer that waits for
 * two queues needs two. Registering allocates nothing.
 */
public abstract class SpaceListener {

    /** Where it is registered; null if it is not. */
    private final AtomicReference<SpaceListeners> pending = new AtomicReference<>();
    /** The next one that the queue will call. Written by the registering thread, before this can be seen. */
    SpaceListener next;

    /** For subclasses. */
    protected SpaceListener() {
    }

    /**
     * Called when at most half of the queue's threshold is in use, or when the queue is closed. Called by a thread that
     * takes events, or by the registering thread. Must not block. May register this again, but not in order to wait for
     * more than half of the threshold: it would be called again immediately. What it throws is logged.
     */
    protected abstract void spaceAvailable();

    /** {@return whether it was not registered} From now on it is. */
    final boolean begin(SpaceListeners notices) {
        return pending.compareAndSet(null, notices);
    }

    /** {@return whether it is among these} */
    final boolean isAmong(SpaceListeners notices) {
        return pending.get() == notices;
    }

    /** From now on it may be registered again. */
    final void end() {
        next = null;
        pending.set(null);
    }
}
