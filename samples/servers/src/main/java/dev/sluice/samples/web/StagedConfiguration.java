package dev.sluice.samples.web;

import dev.sluice.samples.configurator.ConfiguredServices;
import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.FileWays;
import dev.sluice.samples.io.ThreadCounts;
import dev.sluice.samples.server.LineDestination;
import dev.sluice.samples.web.protocol.RequestHandler;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The options of a server that has its replies be made elsewhere, and reads files itself.
 *
 * @param options what has been given
 * @param before  puts a handler before the one that answers requests for the site
 * @param more    figures of the server, for its status page
 */
record StagedConfiguration(ServedSite.Terms options, UnaryOperator<RequestHandler> before,
                           Supplier<Map<String, Object>> more) implements SiteConfiguration {

    @Override
    public void requireConsistent() {
        options.service().requireConsistent(options.server());
        options.site().requireConsistent(options.service(), options.server());
    }

    /** Controllers look after these. */
    @Override
    public ThreadCounts threads() {
        return new ThreadCounts(0, 0);
    }

    @Override
    public LineDestination openLogDestination() throws IOException {
        return options.service().openLogDestination();
    }

    @Override
    public SiteOptions site() {
        return options.site();
    }

    @Override
    public HttpService openService(Generation generation, Supplier<Map<String, Object>> figures,
            ConfiguredServices added) throws IOException {
        return options.site().openService(generation, () -> {
            Map<String, Object> all = new LinkedHashMap<>(figures.get());
            all.putAll(more.get());
            return all;
        }, options.service(), 0, FileWays.of(FileIo.READ), Set.of(), before, added);
    }
}
