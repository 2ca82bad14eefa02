package dev.sluice.benchmarks.seda.router;

import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.Packets;
import dev.sluice.benchmarks.load.PacketsResult;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.samples.Main;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** A router that is started for some packets. */
abstract class RouterTrial implements Trial {

    static final Duration START = Duration.ofMillis(800);

    /** What the names of the router stage's threads begin with, which is all that the system keeps of them. */
    private static final Pattern ROUTERS = Pattern.compile("^GnutellaRouter");
    private static final List<String> HEAP = List.of("-Xmx128m");

    private final String scenario;
    private final String contestant;
    private final List<String> options;
    private final Setting setting;

    /**
     * What all trials have in common.
     *
     * @param host      the host to run on
     * @param generator sends packets
     * @param warmUp    before it is measured
     * @param measured  after that
     */
    record Setting(Host host, LoadGenerator generator, Duration warmUp, Duration measured) {

        /** Starts a router. */
        ServerProcess router(String contestant, List<String> options) throws IOException, InterruptedException {
            List<String> all = new ArrayList<>(List.of("gnutella", "--port", "0", "--keep", "0"));
            all.addAll(options);
            return ServerProcess.java(host, "router " + contestant, HEAP, Main.class, all.toArray(String[]::new))
                    .await();
        }

        Setting lasting(Duration first, Duration then) {
            return new Setting(host, generator, first, then);
        }
    }

    /**
     * Creates a trial.
     *
     * @param scenario   see {@link Trial#scenario}
     * @param contestant see {@link Trial#contestant}
     * @param setting    of it
     * @param options    of the router, besides its port
     */
    RouterTrial(String scenario, String contestant, Setting setting, String... options) {
        this.scenario = scenario;
        this.contestant = contestant;
        this.setting = setting;
        this.options = List.of(options);
    }

    @Override
    public final String scenario() {
        return scenario;
    }

    @Override
    public final String contestant() {
        return contestant;
    }

    @Override
    public Duration planned() {
        return START.plus(setting.warmUp()).plus(setting.measured());
    }

    @Override
    public final void measure(Recorder recorder) throws IOException, InterruptedException {
        try (ServerProcess router = setting.router(contestant, options)) {
            ProcessWatch watch = ProcessWatch.begin(router.pid(), ROUTERS, setting.warmUp(), setting.measured());
            PacketsResult result;
            try (watch) {
                result = setting.generator().measure(packets(router.port(), setting.warmUp(), setting.measured(),
                        router.pid()));
            }
            if (result.sent() == 0) {
                throw new IOException("nothing was sent within " + setting.measured().toMillis() + " ms");
            }
            if (watch.threads().isPresent() && watch.threads().getAsDouble() == 0) {
                throw new IOException("no thread of the router stage is to be seen");
            }
            recorder.record(RouterSuite.LOST, result.lost());
            recorder.record("share of time that the load generator was busy", result.generatorBusy());
            record(result, watch.threads(), recorder);
        }
    }

    /** {@return what is sent} */
    abstract Packets packets(int port, Duration warmUp, Duration measured, long server);

    /** Records what was measured, besides what is lost. */
    abstract void record(PacketsResult result, OptionalDouble threads, Recorder recorder);
}
