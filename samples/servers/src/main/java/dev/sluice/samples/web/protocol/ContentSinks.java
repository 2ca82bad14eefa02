package dev.sluice.samples.web.protocol;

/** Decides where the content of a request goes. Shared by all threads. */
@FunctionalInterface
public interface ContentSinks {

    /** All content is read over. */
    ContentSinks NONE = request -> null;

    /**
     * Decides that, before the content is received, and before the client is told to send it; without waiting for
     * anything.
     *
     * @param request the request, whose head is complete
     * @return what takes the content, and is closed when the request is over; null to read over it
     */
    ContentSink open(Request request);
}
