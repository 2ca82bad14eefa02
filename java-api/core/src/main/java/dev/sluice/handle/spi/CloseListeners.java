package dev.sluice.handle.spi;

import dev.sluice.failure.Failures;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.util.Arrays;

/** The close listeners of one handle that have not been called. All methods may be called from any thread. */
final class CloseListeners {

    private static final CloseListener[] NONE = {};

    /** The listeners, with null in place of removed ones. Guarded by this. */
    private CloseListener[] listeners = NONE;
    /** The listeners of the close in progress. Guarded by this. */
    private CloseListener[] notified = NONE;
    /** Number of these that have been called, or are being called. */
    private volatile int called;

    /**
     * Calls all listeners, even if one throws, because each is a user of the descriptor until it has been called. A
     * listener that has failed for lack of memory or stack is called again by the next close, unless it has been
     * removed. This method itself allocates nothing; otherwise a close without memory would leave the descriptor open.
     */
    void notifyOf(Handle closed) {
        CloseListener[] all = begin();
        Throwable failure = null;
        boolean again = false;
        for (int i = 0; i < all.length; i++) {
            try {
                CloseListener listener = all[i];
                called = i + 1;
                if (listener != null) {
                    listener.handleClosing(closed);
                }
                all[i] = null;
            } catch (Throwable e) {
                if (Failures.isShortage(e)) {
                    again = true;
                } else {
                    all[i] = null;
                }
                failure = Failures.and(failure, e);
            }
        }
        if (again) {
            repeat(all);
        }
        Failures.throwFirst(failure);
    }

    private synchronized CloseListener[] begin() {
        CloseListener[] all = listeners;
        if (all.length > 0) {
            notified = all;
            called = 0;
        }
        listeners = NONE;
        return all;
    }

    private synchronized void repeat(CloseListener[] failed) {
        listeners = failed;
    }

    synchronized void add(CloseListener listener, Descriptor open) throws HandleClosedException {
        // A close that begins now waits for the lock before it calls the listeners.
        open.requireOpen();
        listeners = and(listeners, listener);
    }

    private static CloseListener[] and(CloseListener[] before, CloseListener listener) {
        CloseListener[] after = new CloseListener[before.length + 1];
        int count = 0;
        for (CloseListener each : before) {
            if (each != null) {
                after[count++] = each;
            }
        }
        after[count++] = listener;
        return count == after.length ? after : Arrays.copyOf(after, count);
    }

    /** Removes a listener, without allocating. */
    synchronized void remove(CloseListener listener) {
        if (!remove(listener, listeners, listeners.length)) {
            // So that it is not called again if it has failed.
            remove(listener, notified, called);
        }
    }

    private static boolean remove(CloseListener listener, CloseListener[] from, int count) {
        for (int i = 0; i < count; i++) {
            if (from[i] == listener) {
                from[i] = null;
                return true;
            }
        }
        return false;
    }
}
