package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners that wait for space in a queue, in the order of their registration. May be used by any thread; one
 * thread at a time calls listeners, also for other threads that have requested it, so that no thread waits for a lock.
 */
final class SpaceListeners {

    private static final Logger LOG = LoggerFactory.getLogger(SpaceListeners.class);

    private final IntSupplier space;
    private final AtomicInteger count = new AtomicInteger();
    /** The listeners added since the last notification, the newest first. */
    private final AtomicReference<SpaceListener> newest = new AtomicReference<>();
    /** Number of pending notification requests. The thread that increments it to one serves all of them. */
    private final AtomicInteger pendingNotifications = new AtomicInteger();

    // Accessed only by the thread that serves the requests.

    private @Nullable SpaceListener oldest;
    private @Nullable SpaceListener latest;

    /**
     * Creates an empty list.
     *
     * @param space the number of listeners that may be called now
     */
    SpaceListeners(IntSupplier space) {
        this.space = space;
    }

    boolean isEmpty() {
        return count.get() == 0;
    }

    /**
     * Adds a listener.
     *
     * @return false if it was registered already; if true, the caller must call {@link #notifyWaiters()}
     */
    boolean add(SpaceListener listener) {
        StackReserve.requireForCall();
        if (!listener.begin(this)) {
            return false;
        }
        count.incrementAndGet();
        SpaceListener before;
        do {
            before = newest.get();
            listener.next = before;
        } while (!newest.compareAndSet(before, listener));
        return true;
    }

    /** Calls as many listeners as there is space for. */
    void notifyWaiters() {
        if (isEmpty()) {
            return;
        }
        // If the stack ran out after the next step, no listener would ever be called again.
        StackReserve.requireForCall();
        if (pendingNotifications.getAndIncrement() > 0) {
            return;
        }
        int seen;
        do {
            seen = pendingNotifications.get();
            appendNew();
            for (int left = space.getAsInt(); left > 0 && oldest != null; left--) {
                notifyOldest();
            }
        } while (!pendingNotifications.compareAndSet(seen, 0));
    }

    /** Appends the new listeners to the others, the oldest first. */
    private void appendNew() {
        SpaceListener last = newest.getAndSet(null);
        SpaceListener first = null;
        SpaceListener listener = last;
        while (listener != null) {
            SpaceListener before = listener.next;
            listener.next = first;
            first = listener;
            listener = before;
        }
        if (oldest == null) {
            oldest = first;
        } else {
            assert latest != null;
            latest.next = first;
        }
        if (last != null) {
            latest = last;
        }
    }

    private void notifyOldest() {
        SpaceListener listener = oldest;
        assert listener != null;
        oldest = listener.next;
        count.decrementAndGet();
        listener.end();
        try {
            listener.spaceAvailable();
        } catch (Throwable e) {
            HookFailure.log(LOG, listener, "space in a queue", e);
        }
    }
}
