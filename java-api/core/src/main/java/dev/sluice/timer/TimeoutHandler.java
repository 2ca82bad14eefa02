package dev.sluice.timer;

import org.jspecify.annotations.Nullable;

/** What a timer calls when it expires. */
@FunctionalInterface
public interface TimeoutHandler {

    /**
     * A timer has expired.
     *
     * @param token the asynchronous completion token that the timer was scheduled with, perhaps null
     * @throws Exception whatever goes wrong; the event loop reports it
     */
    void handleTimeout(@Nullable Object token) throws Exception;
}
