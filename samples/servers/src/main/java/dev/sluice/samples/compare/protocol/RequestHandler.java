package dev.sluice.samples.compare.protocol;

import java.nio.ByteBuffer;

/** A service: makes a response of a request. Called by any thread, for different connections also at the same time. */
@FunctionalInterface
public interface RequestHandler {

    /**
     * Serves one request. May block, and then occupies a thread, depending on the strategy.
     *
     * @param request  its content; read-only use, until the return
     * @param response takes the content of the response, {@link Frames#LARGEST} bytes at most
     */
    void handleRequest(ByteBuffer request, ByteBuffer response);

    /**
     * Returns whether a request will keep its thread for longer than it takes to wake another one, some microseconds.
     *
     * @param request its content; neither its position nor what it holds may be changed
     * @return true if it may; always true for requests that may block
     */
    default boolean takesLong(ByteBuffer request) {
        return true;
    }
}
