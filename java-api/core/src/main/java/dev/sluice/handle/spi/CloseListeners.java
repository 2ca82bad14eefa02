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

    /**
     * Calls all listeners, even if one throws, because each is a user of the descriptor until it has been called. A
     * listener that has failed for lack of memory or stack is called again by the next close. This method itself
     * allocates nothing; otherwise a close without memory would leave the descriptor open.
     */
    void notifyOf(Handle closed) {
        CloseListener[] notified = exchange(NONE);
        Throwable failure = null;
        boolean again = false;
        for (int i = 0; i < notified.length; i++) {
            try {
                if (notified[i] != null) {
                    notified[i].handleClosing(closed);
                }
                notified[i] = null;
            } catch (Throwable e) {
                if (Failures.isShortage(e)) {
                    again = true;
                } else {
                    notified[i] = null;
                }
                failure = Failures.and(failure, e);
            }
        }
        if (again) {
            exchange(notified);
        }
        Failures.throwFirst(failure);
    }

    private synchronized CloseListener[] exchange(CloseListener[] others) {
        CloseListener[] before = listeners;
        listeners = others;
        return before;
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
        for (int i = 0; i < listeners.length; i++) {
            if (listeners[i] == listener) {
                listeners[i] = null;
                return;
            }
        }
    }
}
