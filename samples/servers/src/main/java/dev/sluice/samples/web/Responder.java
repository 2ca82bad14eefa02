package dev.sluice.samples.web;

import dev.sluice.samples.web.protocol.ContentSink;

/** Makes replies elsewhere than on the connections that have received the requests. For all threads. */
@FunctionalInterface
public interface Responder {

    /**
     * {@return whether it makes this reply; if not, the connection does, at once. It makes each unless overridden}
     *
     * @param exchange the request, which is complete
     */
    default boolean takes(Exchange exchange) {
        return true;
    }

    /** {@return whether it stores and discards content, too; no unless overridden} */
    default boolean stores() {
        return false;
    }

    /**
     * Begins to {@linkplain dev.sluice.samples.web.protocol.ContentSink#store store} content of a request that is not
     * complete.
     *
     * @param exchange the request; {@link Exchange#made()} has to be called once, sooner or later
     */
    default void store(Exchange exchange) {
        throw new UnsupportedOperationException(this + " stores no content");
    }

    /**
     * Begins to close what has taken content of a request that its client has left.
     *
     * @param content is used by no other thread
     */
    default void discard(ContentSink content) {
        throw new UnsupportedOperationException(this + " stores no content");
    }

    /**
     * Begins to make a reply.
     *
     * @param exchange the request and the reply; {@link Exchange#made()} has to be called once, sooner or later
     */
    void respond(Exchange exchange);
}
