package dev.sluice.samples.web;

import dev.sluice.samples.configurator.ServiceRepository;
import dev.sluice.samples.io.AccessLog;
import dev.sluice.samples.io.Protocol;
import dev.sluice.samples.io.Timeouts;
import dev.sluice.samples.web.protocol.BusyReply;

/**
 * HTTP, and what its connections share.
 *
 * @param name      of the sample
 * @param services  answer the requests
 * @param responder makes the replies elsewhere; null if each connection makes all of its own
 */
record HttpProtocol(String name, ServiceRepository<HttpService> services, Responder responder) implements Protocol {

    @Override
    public byte[] refusal() {
        return BusyReply.octets();
    }

    @Override
    public Timeouts timeouts() {
        return services.current().terms().timeouts();
    }

    @Override
    public ProtocolHandlers handlers(AccessLog.Lines log) {
        return (peer, client) -> new HttpHandler(services, log, client, responder);
    }
}
