package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A listener that is called once when an {@link EventQueue} that was full has space again, see
 * {@link EventQueue#notifyWhenHalfEmpty}. It can be registered with one queue at a time, so a producer that waits for
 * two queues needs two. Registering allocates nothing.
 */
public abstract class SpaceListener {

    /** The list that it is registered with; null if it is not registered. */
    private final AtomicReference<SpaceListeners> pending = new AtomicReference<>();
    /**
     * The next listener that the queue will call. Written by the registering thread, before this listener is published.
     */
    @Nullable SpaceListener next;

    /** Called by the constructors of subclasses. */
    protected SpaceListener() {
    }

    /**
     * Called when at most half of the queue's threshold is in use, or when the queue is closed. Called by a thread that
     * takes events, or by the registering thread. Must not block. May register this listener again, but not in order to
     * wait for more than half of the threshold: it would be called again immediately. Exceptions are logged.
     */
    protected abstract void spaceAvailable();

    /**
     * Marks it as registered with a list.
     *
     * @return false if it was registered already
     */
    final boolean begin(SpaceListeners notices) {
        return pending.compareAndSet(null, notices);
    }

    /** {@return whether it is registered with the given list} */
    final boolean isAmong(SpaceListeners notices) {
        return pending.get() == notices;
    }

    /** Ends the registration; it may be registered again. */
    final void end() {
        next = null;
        pending.set(null);
    }
}
