package dev.sluice.dispatch;

/**
 * A listener for the end of a registration, for connections of this library, independent of the hooks that a handler
 * overrides. A handler with a listener is always notified of the end after its hooks have returned.
 */
public interface EndListener {

    /**
     * Called once, when the registration has ended and its handler has been notified. If it throws, the handler is
     * notified of that failure.
     *
     * @param cause the failure that the handler was notified of; null if there was none
     */
    void handleEnd(Throwable cause);
}
