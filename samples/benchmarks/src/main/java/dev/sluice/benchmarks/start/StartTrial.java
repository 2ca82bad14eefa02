package dev.sluice.benchmarks.start;

import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * From the start of a server to its first answer.
 *
 * @param server who is started
 * @param times  how often in one measurement
 * @param host   the host to run on
 */
record StartTrial(MeasuredPeer server, int times, Host host) implements Trial {

    static final String TIME = "time to the first echo";

    private static final Duration EACH = Duration.ofMillis(800);

    @Override
    public String scenario() {
        return "start";
    }

    @Override
    public String contestant() {
        return server.name();
    }

    @Override
    public Duration planned() {
        return EACH.multipliedBy(times);
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            long began = System.nanoTime();
            try (ServerProcess process = server.starter().start(host, server.name()).await();
                    EchoClient client = new EchoClient(process.port())) {
                client.open();
                recorder.record(TIME, (System.nanoTime() - began) / (double) TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }
}
