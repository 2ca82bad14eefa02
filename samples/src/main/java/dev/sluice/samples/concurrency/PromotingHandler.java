package dev.sluice.samples.concurrency;

import dev.sluice.leaderfollowers.MultipleLeadersPool;
import java.nio.ByteBuffer;

/**
 * Promotes a new leader before a request that takes long, and serves the others as leader: the handler knows what the
 * pool cannot, that is, whether handing over would take longer than the request.
 */
final class PromotingHandler implements RequestHandler {

    private final RequestHandler service;
    private final MultipleLeadersPool pool;

    PromotingHandler(RequestHandler service, MultipleLeadersPool pool) {
        this.service = service;
        this.pool = pool;
    }

    @Override
    public void handleRequest(ByteBuffer request, ByteBuffer response) {
        if (service.takesLong(request)) {
            pool.promoteNewLeader();
        }
        service.handleRequest(request, response);
    }
}
