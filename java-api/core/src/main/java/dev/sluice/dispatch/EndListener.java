package dev.sluice.dispatch;

/**
 * What a connection of this library does at the end of its registration, whichever hooks its handler overrides. With
 * it, the handler is notified of the end when its hooks have returned, also where others are notified inside of them.
 */
public interface EndListener {

    /**
     * The registration has ended, and its handler has been notified. Called once; what it throws is handed to the
     * handler.
     *
     * @param cause why, if the handler was notified of a failure; else null
     */
    void handleEnd(Throwable cause);
}
