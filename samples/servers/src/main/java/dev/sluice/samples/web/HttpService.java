package dev.sluice.samples.web;

import dev.sluice.samples.adaptation.Adaptable;
import dev.sluice.samples.configurator.ConfiguredServices;
import dev.sluice.samples.configurator.Service;
import dev.sluice.samples.io.FileTraffic;
import dev.sluice.samples.io.FileWays;
import dev.sluice.samples.io.Timeouts;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.protocol.ContentSinks;
import dev.sluice.samples.web.protocol.Limits;
import dev.sluice.samples.web.protocol.Pipeline;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests: the JAWS paper's components, as composed by one configuration. */
final class HttpService extends Service {

    private static final Logger LOG = LoggerFactory.getLogger(HttpService.class);

    /**
     * What does not depend on requests.
     *
     * @param limits   the limits on requests
     * @param timeouts the timeouts
     * @param ways     the initial ways to send files
     * @param pinned   the settings that are not adapted to the load
     */
    record Terms(Limits limits, Timeouts timeouts, FileWays ways, Set<Adaptable> pinned) {
    }

    private final Generation generation;
    private final Terms terms;
    private final Pipeline pipeline;
    private final ContentSinks sinks;
    private final WebSite site;
    private final ConfiguredServices added;
    private final LongAdder replies = new LongAdder();
    private final LongAdder octets = new LongAdder();
    private final FileTraffic traffic;

    /**
     * Creates a service.
     *
     * @param generation its number
     * @param terms      what does not depend on requests
     * @param pipeline   makes the replies
     * @param sinks      take the content of requests
     * @param site       the site; owned by this object from now on
     * @param added      services that take part; owned by this object from now on
     */
    HttpService(Generation generation, Terms terms, Pipeline pipeline, ContentSinks sinks, WebSite site,
            ConfiguredServices added) {
        this.generation = generation;
        this.terms = terms;
        this.pipeline = pipeline;
        this.sinks = sinks;
        this.site = site;
        this.added = added;
        this.traffic = new FileTraffic(terms.ways());
    }

    Generation generation() {
        return generation;
    }

    Terms terms() {
        return terms;
    }

    Pipeline pipeline() {
        return pipeline;
    }

    ContentSinks sinks() {
        return sinks;
    }

    CachedFileSystem files() {
        return site.files();
    }

    /** {@return the services that take part} */
    ConfiguredServices added() {
        return added;
    }

    /** {@return how files travel, and how much of them has} */
    FileTraffic traffic() {
        return traffic;
    }

    /** A reply has been sent, or as much of it as could be. */
    void replied(long sent) {
        replies.increment();
        octets.add(sent);
    }

    /** {@return the number of replies} */
    long replies() {
        return replies.sum();
    }

    /** {@return the number of requests that are being replied to at this moment} */
    int requests() {
        return Math.max(0, users() - 1);
    }

    /** {@return how many octets their bodies had} */
    long octets() {
        return octets.sum();
    }

    /** Files that no request uses are closed; those that are left are looked up without a cache. */
    @Override
    protected void retire() {
        site.files().close();
    }

    @Override
    public void close() {
        added.close();
        try {
            site.close();
        } catch (IOException e) {
            LOG.warn("{}: {}", generation, e.toString());
        }
    }
}
