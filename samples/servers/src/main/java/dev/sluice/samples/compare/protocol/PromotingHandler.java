package dev.sluice.samples.compare.protocol;

import dev.sluice.samples.conversation.ConnectionThreads;
import java.nio.ByteBuffer;

/**
 * Promotes a new leader before it serves a long request, and serves short requests as the leader: the handler knows,
 * and the pool does not, whether the promotion would take longer than the request.
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
