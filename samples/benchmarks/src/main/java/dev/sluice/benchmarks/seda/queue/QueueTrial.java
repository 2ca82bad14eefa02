package dev.sluice.benchmarks.seda.queue;

import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.Packets;
import dev.sluice.benchmarks.load.PacketsResult;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.peers.StagesPage;
import dev.sluice.benchmarks.peers.StagesWatch;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.samples.Main;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;

/**
 * A router that is looked at while packets come.
 *
 * @param contestant its name
 * @param threads    the most of its router stage
 * @param time       how long packets come
 * @param between    two looks
 * @param generator  sends packets
 * @param host       the host to run on
 */
record QueueTrial(String contestant, int threads, Duration time, Duration between, LoadGenerator generator,
        Host host) implements Trial {

    static final String QUEUE = "packets in the queue of the router stage over time";
    static final String THREADS = "threads of the router stage over time";
    static final String LONGEST = "longest queue of the router stage";
    static final String LAST = "queue of the router stage at the end";
    static final String MAX_THREADS = "most threads of the router stage";
    static final int PER_SECOND = 1_000;
    static final int DELAY_MILLIS = 20;

    private static final String STAGE = "GnutellaRouter";
    private static final Duration START = Duration.ofSeconds(1);
    private static final List<String> HEAP = List.of("-Xmx128m");

    @Override
    public String scenario() {
        return PER_SECOND + " packets/s";
    }

    @Override
    public Duration planned() {
        return START.plus(time);
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        int status = ServerProcess.freePort();
        try (ServerProcess router = ServerProcess.java(host, "queue " + contestant, HEAP, Main.class, "gnutella",
                "--port", "0", "--keep", "0", "--threads", Integer.toString(threads), "--query-delay",
                Integer.toString(DELAY_MILLIS), "--status", Integer.toString(status)).await();
                StagesWatch watch = new StagesWatch(status)) {
            Future<?> looking = watch.lookEvery(between);
            PacketsResult result;
            try {
                result = generator.measure(Packets.briefly(router.port(), PER_SECOND, time, router.pid()));
            } finally {
                looking.cancel(false);
            }
            if (result.sent() == 0) {
                throw new IOException("nothing was sent within " + time.toMillis() + " ms");
            }
            watch.look();
            record(watch.take(), recorder);
            recorder.record("share of time that the load generator was busy", result.generatorBusy());
        }
    }

    private void record(List<StagesPage.Look> looks, Recorder recorder) throws IOException {
        int longest = 0;
        int last = 0;
        int most = 0;
        double start = looks.get(0).seconds();
        for (StagesPage.Look look : looks) {
            StagesPage.Look.Glimpse router = look.stage(STAGE);
            String at = String.format(Locale.ROOT, "%.2f s", look.seconds() - start);
            recorder.recordAt(at, QUEUE, router.length());
            recorder.recordAt(at, THREADS, router.threads());
            longest = Math.max(longest, router.length());
            most = Math.max(most, router.threads());
            last = router.length();
        }
        recorder.record(LONGEST, longest);
        recorder.record(LAST, last);
        recorder.record(MAX_THREADS, most);
    }
}
