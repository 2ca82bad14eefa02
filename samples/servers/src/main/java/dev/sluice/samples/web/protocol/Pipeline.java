package dev.sluice.samples.web.protocol;

import dev.sluice.samples.io.TransferFilters;
import java.util.List;
import java.util.Objects;

/**
 * JAWS' Protocol Pipeline, in the pattern Pipes and Filters: a {@link RequestHandler} makes the reply, each {@link
 * Filter} may change it, and finally the head is written. Transfer filters observe its sending. The handler may wait
 * for the file system, but nothing here waits for a client.
 *
 * <p>A reply is described in place, in the {@link Reply} that the connection reuses; so a filter that has nothing to do
 * with it costs a call. It is as thread-safe as its filters are.
 */
public final class Pipeline {

    private final RequestHandler handler;
    private final Filter[] admissions;
    private final Filter[] selections;
    private final Filter[] filters;
    private final TransferFilters transfers;
    private final HeadWriter writer;

    /**
     * Stacks filters on a handler.
     *
     * @param clock   the clock
     * @param handler makes the replies
     * @param filters in the order in which replies go through them, except that selections come first
     */
    public Pipeline(HttpClock clock, RequestHandler handler, List<Filter> filters) {
        this.handler = handler;
        this.admissions = filters.toArray(Filter[]::new);
        this.selections = filters.stream().filter(Filter::isSelection).toArray(Filter[]::new);
        this.filters = filters.stream().filter(filter -> !filter.isSelection()).toArray(Filter[]::new);
        this.transfers = new TransferFilters(filters.stream().map(Filter::transfer).filter(Objects::nonNull).toList());
        this.writer = new HeadWriter(clock);
    }

    /** {@return the filters that go with each reply to the client, in their order; for the connection to apply} */
    public TransferFilters transfers() {
        return transfers;
    }

    /**
     * Answers a complete request. Content that a filter has refused is dropped, which may wait for the file system.
     *
     * @param request the request; the reply keeps nothing of it
     * @param reply   becomes the answer; whatever it was before is closed
     */
    public void respond(Request request, Reply reply) {
        if (admit(request, reply)) {
            find(request, reply);
        } else {
            drop(request.releaseSink());
        }
        complete(request, reply);
    }

    private static void drop(ContentSink content) {
        if (content != null) {
            content.close();
        }
    }

    /**
     * Offers a request to the filters, before it is {@linkplain #find found} what it is about. Waits for nothing.
     *
     * @param request a complete request
     * @param reply   whatever it was before is closed
     * @return whether the request goes on; if not, the reply is described, to be {@linkplain #complete completed}
     */
    public boolean admit(Request request, Reply reply) {
        reply.close();
        for (Filter filter : admissions) {
            if (!filter.admit(request, reply)) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return whether the answer may have to wait for the file system}
     *
     * @param request a complete request
     */
    public boolean mayWait(Request request) {
        return handler.mayWait(request);
    }

    /**
     * Finds what a request is about: the part of the answer that may wait for the file system.
     *
     * @param request the request
     * @param reply   becomes a description, to be {@linkplain #complete completed}; whatever it was before is closed
     */
    public void find(Request request, Reply reply) {
        reply.close();
        handler.handle(request, reply);
        for (Filter filter : selections) {
            filter.apply(request, reply);
        }
    }

    /**
     * Refuses a request that will not be answered otherwise: {@link RequestParser#refusal()}, or
     * {@link Status#REQUEST_TIMEOUT}. The connection ends with it.
     *
     * @param status  why
     * @param request as much of it as was understood
     * @param reply   becomes the refusal; whatever it was before is closed
     */
    public void refuse(Status status, Request request, Reply reply) {
        reply.close();
        request.persistent(false);
        reply.answer(status);
        for (Filter filter : selections) {
            filter.apply(request, reply);
        }
        complete(request, reply);
    }

    /**
     * Makes the head of an answer. Waits for nothing.
     *
     * @param request the request; the reply keeps nothing of it
     * @param reply   describes what was found, wherever
     */
    public void complete(Request request, Reply reply) {
        for (Filter filter : filters) {
            filter.apply(request, reply);
        }
        writer.write(request, reply);
    }
}
