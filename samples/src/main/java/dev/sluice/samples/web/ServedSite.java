package dev.sluice.samples.web;

import dev.sluice.samples.configurator.ServiceRepository;
import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.FileServiceOptions;
import dev.sluice.samples.io.FileWays;
import dev.sluice.samples.io.Protocol;
import dev.sluice.samples.web.protocol.ContentSinks;
import dev.sluice.samples.web.protocol.RequestHandler;
import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A site that is read only and stays as it is, for a server that has its replies be made elsewhere. */
public final class ServedSite implements Closeable {

    private final ServiceRepository<HttpService> services;

    private ServedSite(HttpService service) {
        services = new ServiceRepository<>(service, Runnable::run);
    }

    /**
     * Opens a site.
     *
     * @param site    which, and what clients may send to it
     * @param service how its files are kept open, and how patient it is
     * @param before  puts a handler before the one that answers requests for the site
     * @return the site, which the caller closes
     * @throws IOException if what an option names is not there, or cannot be read
     */
    public static ServedSite open(SiteOptions site, FileServiceOptions service, UnaryOperator<RequestHandler> before)
            throws IOException {
        WebSite opened = site.open(service, 0);
        // Such a server reads files itself.
        HttpService.Terms terms = new HttpService.Terms(opened.limits(), service.timeouts(), FileWays.of(FileIo.READ),
                Set.of());
        return new ServedSite(new HttpService(Generation.first(), terms,
                site.pipeline(opened, before.apply(site.handler(opened.files(), null)), service), ContentSinks.NONE,
                opened));
    }

    /**
     * Speaks HTTP about it.
     *
     * @param name      of the sample
     * @param responder makes the replies
     * @return the protocol, until this is closed
     */
    public Protocol protocol(String name, Responder responder) {
        return new HttpProtocol(name, services, responder);
    }

    @Override
    public void close() {
        services.close();
    }
}
