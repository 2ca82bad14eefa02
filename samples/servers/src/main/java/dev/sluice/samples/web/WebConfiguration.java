package dev.sluice.samples.web;

import dev.sluice.samples.adaptation.Adaptable;
import dev.sluice.samples.configurator.Configurable;
import dev.sluice.samples.configurator.ConfigurationException;
import dev.sluice.samples.configurator.ConfigurationSource;
import dev.sluice.samples.configurator.ConfiguredServices;
import dev.sluice.samples.configurator.Options;
import dev.sluice.samples.configurator.ServiceRepository;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.StrategyContext;
import dev.sluice.samples.io.AccessLog;
import dev.sluice.samples.io.FileThreads;
import dev.sluice.samples.io.FileWays;
import dev.sluice.samples.io.PortPools;
import dev.sluice.samples.io.SizeClass;
import dev.sluice.samples.io.ThreadCounts;
import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.LineDestination;
import dev.sluice.samples.server.UnusableOptionException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The configuration of the server that can be replaced while it runs: the service that answers requests, the
 * destination of the access log, and the number of threads. Everything is opened before any of it is applied.
 */
final class WebConfiguration implements Configurable, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(WebConfiguration.class);

    private final ConfigurationSource<? extends SiteConfiguration> source;
    private final AccessLog log;
    private final ServiceRepository<HttpService> services;
    private final ThreadCounts firstThreads;
    private final FileThreads fileThreads = new FileThreads();
    /** Null until it serves. */
    private volatile PortPools pools;
    /** Null until it adapts. Written by one thread. */
    private volatile WebAdaptation adaptation;
    /** Null if the concurrency strategy stays. */
    private AdaptiveStrategy strategies;
    /** Null if no table is written. */
    private AdaptationTable table;
    /** What has been asked for at the control address since the configuration was read. */
    private ServiceChanges changes = ServiceChanges.NONE;
    /** How often the server has been adapted. Written by one thread. */
    private volatile int adaptations;

    /** What has been opened for a configuration, before it is applied. */
    private record Opened(Options<? extends SiteConfiguration> options, HttpService service, LineDestination log) {

        String result() {
            return service.generation() + " is active";
        }

        /** Suspends services, or resumes them. */
        void apply() {
            service.added().suspend(options.command().site().suspended());
        }

        ThreadCounts threads() {
            return options.command().threads();
        }

        void close() throws IOException {
            service.close();
            if (log != null) {
                log.close();
            }
        }
    }

    /**
     * Opens what the server begins with.
     *
     * @param source reads the options, again at each call
     * @param closer closes services that have been replaced
     * @throws ConfigurationException if something is wrong
     */
    WebConfiguration(ConfigurationSource<? extends SiteConfiguration> source, Executor closer)
            throws ConfigurationException {
        this.source = source;
        Opened first = open(Generation.first(), ConfiguredServices.none());
        first.apply();
        this.services = new ServiceRepository<>(first.service(), closer);
        this.log = new AccessLog(first.log());
        this.firstThreads = first.threads();
    }

    HttpProtocol protocol() {
        return protocol("web", new FileReplies(fileThreads));
    }

    /** {@return the protocol of a server of this name; whose replies are made by the responder, unless it is null} */
    HttpProtocol protocol(String name, Responder responder) {
        return new HttpProtocol(name, services, responder);
    }

    AccessLog log() {
        return log;
    }

    /** {@return the log for a server whose configuration stays: null if it has none} */
    AccessLog logIfAny() {
        return log.isKept() ? log : null;
    }

    /** {@return how many threads there are to be at first} */
    ThreadCounts firstThreads() {
        return firstThreads;
    }

    /**
     * Sets a table that each sample is written to as a row, and which is closed with this object. To be called before
     * the first sample.
     */
    void record(AdaptationTable rows) {
        table = rows;
    }

    /** Tells of the pools that serve. */
    void servedBy(PortPools serving) {
        pools = serving;
    }

    /**
     * Lets {@link #adapt} choose among concurrency strategies, if the strategy can change. To be called after {@link
     * #servedBy}.
     */
    void chooseAmong(List<ConcurrencyStrategy> candidates) {
        if (pools.strategy() != null) {
            strategies = new AdaptiveStrategy(pools.strategy(), candidates);
        }
    }

    private Opened open(Generation generation, ConfiguredServices before) throws ConfigurationException {
        Options<? extends SiteConfiguration> options = source.read();
        try {
            options.command().requireConsistent();
            HttpService service = openService(options.command(), generation, before);
            try {
                return new Opened(options, service, options.command().openLogDestination());
            } catch (Throwable e) {
                service.close();
                throw e;
            }
        } catch (ParameterException e) {
            throw options.problem(e.getArgSpec() instanceof OptionSpec option ? option.longestName() : null,
                    e.getMessage(), e);
        } catch (UnusableOptionException e) {
            throw options.problem(e.option(), e.getMessage(), e);
        } catch (IOException e) {
            throw options.problem(null, FileProblem.describe(e), e);
        }
    }

    private HttpService openService(SiteConfiguration options, Generation generation, ConfiguredServices before)
            throws IOException {
        ConfiguredServices added = ConfiguredServices.open(changes.appliedTo(options.site().services()), before,
                options.site().serviceTimeout());
        try {
            return options.openService(generation, () -> figures(generation), added);
        } catch (Throwable e) {
            added.close();
            throw e;
        }
    }

    /** What has been asked for at the control address is over: the configuration is as it is written. */
    @Override
    public String reload() throws ConfigurationException {
        return replace(ServiceChanges.NONE, Opened::apply);
    }

    private String replace(ServiceChanges asked) throws ConfigurationException {
        return replace(asked, next -> { });
    }

    private String replace(ServiceChanges asked, Consumer<Opened> prepare) throws ConfigurationException {
        ServiceChanges previous = changes;
        changes = asked;
        try {
            return replace(prepare);
        } catch (Throwable e) {
            changes = previous;
            throw e;
        }
    }

    private String replace(Consumer<Opened> prepare) throws ConfigurationException {
        HttpService current = services.current();
        Opened next = open(current.generation().next(), current.added());
        Runnable removeThreads = addThreads(next);
        replaceLog(next, removeThreads);
        // Not after the next line: a service that is configured as suspended is offered no request.
        prepare.accept(next);
        services.replace(next.service());
        pools.shrink(next.threads());
        return next.result();
    }

    /** The system may refuse threads, and these can be removed again, so they come first. */
    private Runnable addThreads(Opened next) throws ConfigurationException {
        try {
            return pools.grow(next.threads());
        } catch (UnusableOptionException e) {
            try {
                next.close();
            } catch (IOException also) {
                e.addSuppressed(also);
            }
            throw next.options().problem(e.option(), e.getMessage(), e);
        }
    }

    /** The system may refuse the thread that writes to the new destination. Nothing after this can be refused. */
    private void replaceLog(Opened next, Runnable removeThreads) {
        try {
            log.replace(next.log());
        } catch (IOException e) {
            LOG.warn("closing the old access log: {}", FileProblem.describe(e));
        } catch (RuntimeException | Error e) {
            removeThreads.run();
            try {
                next.close();
            } catch (IOException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }

    /** Looks at what the server has to do, and adapts it. Called by the thread that also reloads. */
    void adapt() {
        HttpService service = services.current();
        if (adaptation == null || !adaptation.isOf(service)) {
            adaptation = new WebAdaptation(service, pools, adaptiveStrategy(service));
        } else {
            adaptations += adaptation.look();
            if (table != null) {
                table.add(row());
            }
        }
    }

    /** Returns the concurrency strategy if it is to adapt. A trial that a reload has left goes on, or ends. */
    private AdaptiveStrategy adaptiveStrategy(HttpService service) {
        if (strategies == null) {
            return null;
        } else if (service.terms().pinned().contains(Adaptable.CONCURRENCY)) {
            strategies.end();
            return null;
        }
        strategies.resume();
        return strategies;
    }

    private Map<String, Object> row() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS));
        row.putAll(adaptation.lastLook());
        if (strategies != null && services.current().terms().pinned().contains(Adaptable.CONCURRENCY)) {
            // A reload may let it be adapted again, and the table has the same columns throughout.
            strategies.look();
            strategies.putLastLook(row);
        }
        putPools(row);
        row.put("adaptations", adaptations);
        return row;
    }

    private void putPools(Map<String, Object> figures) {
        PortPools serving = pools;
        if (serving != null) {
            serving.all().forEach((where, pool) -> {
                figures.put(where + "threads", pool.threads());
                figures.put(where + "busy", pool.busy());
            });
        }
    }

    private Map<String, Object> figures(Generation generation) {
        Map<String, Object> figures = new LinkedHashMap<>(generation.figures());
        putPools(figures);
        HttpService service = services.current();
        figures.put("replies", service.replies());
        figures.put("reply bytes", service.octets());
        FileWays ways = service.traffic().ways();
        for (SizeClass each : SizeClass.values()) {
            figures.put(each + " files", ways.way(each));
        }
        figures.put("adaptations", adaptations);
        WebAdaptation adapting = adaptation;
        figures.put("trials", adapting == null ? 0 : adapting.trials());
        figures.put("tried", adapting == null ? "" : adapting.tried());
        return figures;
    }

    @Override
    public List<String> command(String verb, String argument) throws ConfigurationException {
        ConfiguredServices added = services.current().added();
        return switch (verb) {
            case "info" -> added.info();
            case "suspend" -> List.of(added.suspend(argument, true));
            case "resume" -> List.of(added.suspend(argument, false));
            case "init" -> List.of("ok: " + replace(changes.with(argument)));
            case "fini" -> List.of("ok: " + replace(changes.without(argument, added)));
            case "concurrency" -> List.of("ok: " + change(argument));
            default -> null;
        };
    }

    /** Changes the concurrency strategy, as {@code thread-pool 8} says. */
    private String change(String argument) throws ConfigurationException {
        StrategyContext strategy = pools.strategy();
        if (strategy == null) {
            throw new ConfigurationException(List.of("the concurrency strategy stays: start with --changeable"), null);
        }
        try {
            StrategyChoice choice = StrategyChoice.parse(argument);
            strategy.change(choice.strategy(), choice.threads());
            return strategy.status().get(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConfigurationException(List.of("interrupted"), e);
        } catch (IOException | IllegalArgumentException | ParameterException e) {
            throw new ConfigurationException(List.of("concurrency: " + FileProblem.describe(e)), e);
        }
    }

    @Override
    public List<String> verbs() {
        return List.of("info", "init", "fini", "suspend", "resume", "concurrency");
    }

    @Override
    public List<String> status() {
        List<String> lines = new ArrayList<>();
        figures(services.current().generation()).forEach((name, value) -> lines.add(name + " " + value));
        if (pools != null && pools.strategy() != null) {
            lines.addAll(pools.strategy().status());
        }
        lines.add("services " + services.count());
        lines.addAll(services.current().added().info());
        return lines;
    }

    /** Closes everything, when there are no requests any more. */
    @Override
    public void close() throws IOException {
        fileThreads.close();
        services.close();
        try {
            log.close();
        } finally {
            if (table != null) {
                table.close();
            }
        }
    }
}
