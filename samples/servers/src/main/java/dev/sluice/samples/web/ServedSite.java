package dev.sluice.samples.web;

import dev.sluice.samples.configurator.Configurable;
import dev.sluice.samples.configurator.ConfigurationException;
import dev.sluice.samples.configurator.ConfigurationSource;
import dev.sluice.samples.configurator.Options;
import dev.sluice.samples.io.AccessLog;
import dev.sluice.samples.io.FileServiceOptions;
import dev.sluice.samples.io.PortPools;
import dev.sluice.samples.io.Protocol;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.web.protocol.RequestHandler;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A site for a server that has its replies be made elsewhere. What is served can be replaced while it runs. */
public final class ServedSite implements Closeable {

    private final WebConfiguration configuration;

    /** The options of such a server. */
    public interface Terms {

        /** {@return what it serves} */
        SiteOptions site();

        /** {@return how its files are kept open, and how patient it is} */
        FileServiceOptions service();

        /** {@return the options that make exceptions for contradicting options} */
        ServerOptions server();
    }

    private ServedSite(WebConfiguration configuration) {
        this.configuration = configuration;
        configuration.servedBy(PortPools.none());
    }

    /**
     * Opens a site.
     *
     * @param source reads the options, again at each call
     * @param before puts a handler before the one that answers requests for the site
     * @param more   figures of the server, for its status page
     * @param closer closes services that have been replaced
     * @return the site, which the caller closes
     * @throws ConfigurationException if something is wrong
     */
    public static ServedSite open(ConfigurationSource<? extends Terms> source, UnaryOperator<RequestHandler> before,
            Supplier<Map<String, Object>> more, Executor closer) throws ConfigurationException {
        return new ServedSite(new WebConfiguration(() -> {
            Options<? extends Terms> read = source.read();
            return new Options<>(new StagedConfiguration(read.command(), before, more), read.file(), read.lines());
        }, closer));
    }

    /**
     * Speaks HTTP about it.
     *
     * @param name      of the sample
     * @param responder makes the replies
     * @return the protocol, until this is closed
     */
    public Protocol protocol(String name, Responder responder) {
        return configuration.protocol(name, responder);
    }

    /** {@return replaces what is served} */
    public Configurable configuration() {
        return configuration;
    }

    /**
     * {@return the log of its requests; null if there is none, and will not be}
     *
     * @param changes whether the configuration may be replaced
     */
    public AccessLog log(boolean changes) {
        return changes ? configuration.log() : configuration.logIfAny();
    }

    @Override
    public void close() throws IOException {
        configuration.close();
    }
}
