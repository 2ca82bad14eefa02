package dev.sluice.eventloop.spi;

/** What an event loop owns and ends in order when it is asked to stop: a listening socket, or a connection. */
public interface LoopMember {

    /**
     * Brings it to its end: a listening socket is closed, a connection sends what is left and closes. Called once, by
     * the thread that owns it. What it throws is logged, and {@link #endNow()} is called.
     *
     * @throws Exception what the program's hook throws
     */
    void finish() throws Exception;

    /** The deadline of the stop has passed: ends it at once. Called by the thread that owns it. */
    void endNow();
}
