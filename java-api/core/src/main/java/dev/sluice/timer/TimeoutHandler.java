package dev.sluice.timer;

import org.jspecify.annotations.Nullable;

/** A handler that is called when a timer expires. */
@FunctionalInterface
public interface TimeoutHandler {

    /**
     * Called when a timer has expired.
     *
     * @param token the asynchronous completion token that the timer was scheduled with, may be null
     * @throws Exception if the handler fails; the event loop reports it
     */
    void handleTimeout(@Nullable Object token) throws Exception;
}
