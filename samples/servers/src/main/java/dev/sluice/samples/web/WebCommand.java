package dev.sluice.samples.web;

import dev.sluice.samples.adaptation.Adaptable;
import dev.sluice.samples.configurator.Changeable;
import dev.sluice.samples.configurator.ConfigurationFile;
import dev.sluice.samples.configurator.ConfigurationSource;
import dev.sluice.samples.configurator.ConfiguredServices;
import dev.sluice.samples.configurator.Options;
import dev.sluice.samples.configurator.ServiceConfigurator;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.ThreadOptions;
import dev.sluice.samples.io.FileServerOptions;
import dev.sluice.samples.io.ThreadCounts;
import dev.sluice.samples.server.LineDestination;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice web}. */
@Command(name = "web", mixinStandardHelpOptions = true, sortOptions = false,
        description = "An HTTP/1.1 file server: GET, HEAD and PUT with ranges, validators and codings; keep-alive,"
                + " pipelining.")
public final class WebCommand implements Callable<Integer>, SiteConfiguration {

    private static final double SHORTEST_INTERVAL = 0.05;
    private static final double LONGEST_INTERVAL = 3600;
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(names = "--config", paramLabel = "FILE",
            description = "File with more options, each in a line 'name = value': all but those of the strategies, "
                    + "the address, and the demultiplexer. SIGHUP reloads it; requests in progress are answered as "
                    + "before.")
    private Path config;

    @Option(names = "--control", paramLabel = "[HOST:]PORT",
            description = "Control address: accepts commands, one per connection: reload (like SIGHUP), status, and "
                    + "info, init, fini, suspend and resume for services, and concurrency. Not authenticated (default: "
                    + "off; default HOST: this machine alone).")
    private String control;

    @Option(names = "--changeable",
            description = "Allow the command 'concurrency STRATEGY [THREADS]' at the control address to change "
                    + "--concurrency while the server runs, and --adapt to choose it. --threads and --adapt do not "
                    + "change the threads of --port; on Windows, a separate thread accepts connections.")
    private boolean changeable;

    @Option(names = "--strategies", paramLabel = "LIST", split = ",",
            description = "Concurrency strategies that --adapt tries at --port with --changeable, with their default "
                    + "numbers of threads (default: reactor-per-thread, leader-followers, half-sync-half-async, "
                    + "proactor-per-thread).")
    private List<ConcurrencyStrategy> strategies;

    @Option(names = "--adapt", paramLabel = "SECONDS",
            description = "Check load, sizes of replies and hits of the cache at this interval, and adapt to them the "
                    + "threads of each pool, how many files stay open (both at least as configured, and at most 8 "
                    + "times as many), by trials how files of each class of sizes travel, and with --changeable by "
                    + "trials the concurrency strategy (default: off).")
    private Double adapt;

    @Changeable
    @Option(names = "--pin", paramLabel = "LIST", split = ",",
            description = "Settings that --adapt does not change: threads, cache, files, concurrency (default: none).")
    private List<Adaptable> pinned;

    @Option(names = "--adaptation-csv", paramLabel = "FILE",
            description = "Write what --adapt measures and decides to this file, a row for each check (default: "
                    + "off).")
    private String adaptationCsv;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SiteOptions site;

    @Mixin
    private FileServerOptions options;

    /** For picocli. */
    public WebCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply();
        options.server().requireNamed("--config", config);
        check();
        InetSocketAddress address = control == null ? null : options.server().control("--control", control);
        if (config == null) {
            requireConsistent();
        }
        ConfigurationSource<WebCommand> source = config == null ? () -> Options.of(this)
                : new ConfigurationFile<>(config, spec, WebCommand::new, WebCommand::check);
        if (config == null && address == null && adapt == null) {
            try (WebConfiguration configuration = new WebConfiguration(source, Runnable::run)) {
                options.serve(configuration.protocol(), configuration.logIfAny());
            }
        } else {
            serve(source, address);
        }
        return 0;
    }

    private void serve(ConfigurationSource<WebCommand> source, InetSocketAddress address)
            throws IOException, InterruptedException {
        StopRequest stop = options.server().newStopRequest();
        try (ServiceConfigurator configurator = new ServiceConfigurator(address, stop);
                WebConfiguration configuration = new WebConfiguration(source, configurator)) {
            if (adaptationCsv != null) {
                configuration.record(AdaptationTable.open("--adaptation-csv", adaptationCsv));
            }
            try {
                options.serve(configuration.protocol(), configuration.log(), configuration.firstThreads(), pools -> {
                    configuration.servedBy(pools);
                    if (adapt != null) {
                        configuration.chooseAmong(strategies == null ? AdaptiveStrategy.USUAL : strategies);
                        Duration interval = Duration.ofNanos(Math.round(adapt * NANOS_PER_SECOND));
                        configurator.repeat(configuration::adapt, interval);
                    }
                    configurator.start(configuration);
                }, stop, changeable);
            } finally {
                // Before what it replaces is closed.
                configurator.stop();
            }
        }
    }

    private void check() {
        ServerOptions server = options.server();
        site.check(server);
        if (changeable && control == null && adapt == null) {
            throw server.bad("--changeable requires --control or --adapt");
        }
        if (strategies != null) {
            checkStrategies(server);
        }
        if (adapt != null) {
            server.requireRange("--adapt", adapt, SHORTEST_INTERVAL, LONGEST_INTERVAL);
        } else if (pinned != null) {
            throw server.bad("--pin requires --adapt");
        } else if (adaptationCsv != null) {
            throw server.bad("--adaptation-csv requires --adapt");
        }
    }

    private void checkStrategies(ServerOptions server) {
        if (adapt == null || !changeable) {
            throw server.bad("--strategies requires --adapt and --changeable");
        }
        strategies.forEach(each -> ThreadOptions.requireAvailable("--strategies", each, server));
    }

    /** Checks options of which some stand in the file. */
    private void check(Set<String> inFile) {
        options.check();
        if (changeable && inFile.contains("--threads")) {
            throw options.server().bad("--threads cannot change with --changeable: the command concurrency says how "
                    + "many threads there are");
        }
        if (inFile.contains("--threads")) {
            options.requirePool();
        }
        check();
    }

    @Override
    public void requireConsistent() {
        options.service().requireConsistent(options.server());
        site.requireConsistent(options.service(), options.server());
    }

    @Override
    public ThreadCounts threads() {
        return options.threads();
    }

    @Override
    public LineDestination openLogDestination() throws IOException {
        return options.service().openLogDestination();
    }

    @Override
    public SiteOptions site() {
        return site;
    }

    @Override
    public HttpService openService(Generation generation, Supplier<Map<String, Object>> figures,
            ConfiguredServices added) throws IOException {
        return site.openService(generation, figures, options.service(), options.cacheMemory(), options.ways(),
                pinned == null ? Set.of() : Set.copyOf(pinned), UnaryOperator.identity(), added);
    }
}
