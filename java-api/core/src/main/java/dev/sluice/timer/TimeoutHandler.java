package dev.sluice.timer;

/** What a timer calls when it expires. */
@FunctionalInterface
public interface TimeoutHandler {

    /**
     * A timer has expired.
     *
     * @param token the asynchronous completion token that the timer was scheduled with, perhaps null
     * @throws Exception whatever goes wrong; the event loop reports it
     */
    void handleTimeout(Object token) throws Exception;
}
