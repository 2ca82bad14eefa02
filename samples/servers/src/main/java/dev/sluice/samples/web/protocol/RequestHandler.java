package dev.sluice.samples.web.protocol;

/** Answers requests: the first element of the {@link Pipeline}. Shared by all threads. */
public interface RequestHandler {

    /**
     * Answers a complete request.
     *
     * @param request the request; the reply keeps nothing of it
     * @param reply   is empty, and becomes the answer
     */
    void handle(Request request, Reply reply);

    /**
     * {@return whether answering may take a while, because of the file system; never unless overridden}
     *
     * @param request the request
     */
    default boolean mayWait(Request request) {
        return false;
    }
}
