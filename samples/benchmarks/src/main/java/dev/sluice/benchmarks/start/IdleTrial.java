package dev.sluice.benchmarks.start;

import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/**
 * How much the memory of a server grows with connections that have been answered once and then say nothing.
 *
 * @param server      whose memory
 * @param connections the number of connections
 * @param warmUp      how many come and go before, one at a time
 * @param host        the host to run on
 */
record IdleTrial(MeasuredPeer server, int connections, int warmUp, Host host) implements Trial {

    static final String MEMORY = "memory per idle connection";
    static final String HEAP = "of which on the heap";

    private static final Duration START = Duration.ofMillis(1500);
    private static final Duration CONNECTION = Duration.ofNanos(200_000);

    @Override
    public String scenario() {
        return Integer.toString(connections);
    }

    @Override
    public String contestant() {
        return server.name();
    }

    @Override
    public Duration planned() {
        return START.plus(CONNECTION.multipliedBy(connections + warmUp));
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        try (ServerProcess process = server.starter().start(host, server.name()).await();
                EchoClient client = new EchoClient(process.port())) {
            for (int i = 0; i < warmUp; i++) {
                client.open();
                client.leave();
            }
            MemoryFigures before = MemoryFigures.of(process.pid(), host);
            for (int i = 0; i < connections; i++) {
                client.open();
            }
            MemoryFigures after = MemoryFigures.of(process.pid(), host);
            double heap = (after.heap() - before.heap()) / (double) connections;
            recorder.record(MEMORY, heap + (after.resident() - before.resident()) / (double) connections);
            if (before.heap() > 0) {
                recorder.record(HEAP, heap);
            }
        }
    }
}
