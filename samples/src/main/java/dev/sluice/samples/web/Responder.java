package dev.sluice.samples.web;

/** Has replies be made elsewhere than on the connections that the requests have come from. For all threads. */
@FunctionalInterface
public interface Responder {

    /**
     * Begins to make a reply.
     *
     * @param exchange the request and the reply; {@link Exchange#made()} has to be called once, sooner or later
     */
    void respond(Exchange exchange);
}
