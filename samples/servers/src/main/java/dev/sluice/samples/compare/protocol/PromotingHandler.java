package dev.sluice.samples.compare.protocol;

import dev.sluice.samples.conversation.ConnectionThreads;
import java.nio.ByteBuffer;

/**
 * Has a new leader promoted before a request that takes long, and serves the others as leader: the handler knows what
 * the pool cannot, that is, whether handing over would take longer than the request.
 */
final class PromotingHandler implements RequestHandler {

    private final RequestHandler service;
    private final ConnectionThreads threads;

    PromotingHandler(RequestHandler service, ConnectionThreads threads) {
        this.service = service;
        this.threads = threads;
    }

    @Override
    public void handleRequest(ByteBuffer request, ByteBuffer response) {
        if (service.takesLong(request)) {
            threads.beginLongStep();
        }
        service.handleRequest(request, response);
    }
}
