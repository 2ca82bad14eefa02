package dev.sluice.benchmarks.seda.sockets;

import dev.sluice.benchmarks.load.Load;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.LoadResult;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/**
 * Some connections to a server that is started for them.
 *
 * @param contestant  by its name
 * @param connections the number of connections
 * @param packets     in a burst
 * @param server      starts it
 * @param generator   puts the load on it
 * @param host        the host to run on
 * @param warmUp      before it is measured
 * @param measured    after that
 */
record BurstTrial(String contestant, int connections, int packets, MeasuredPeer server, LoadGenerator generator,
        Host host, Duration warmUp, Duration measured) implements Trial {

    static final String RATE = "throughput";
    static final String CPU = "CPU time per GB";

    /** Of a packet, in bytes. */
    static final int PACKET = 8 * 1024;

    private static final double BITS_PER_BYTE = 8;
    private static final double MEGA = 1e6;
    private static final double GIGA = 1e9;
    private static final Duration START = Duration.ofMillis(800);
    private static final Duration PER_CONNECTION = Duration.ofNanos(200_000);

    /** {@return the scenario with this number of connections} */
    static String scenario(int connections) {
        return connections == 1 ? "1 connection" : connections + " connections";
    }

    @Override
    public String scenario() {
        return scenario(connections);
    }

    @Override
    public Duration planned() {
        return START.plus(warmUp).plus(measured).plus(PER_CONNECTION.multipliedBy(connections));
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        try (ServerProcess process = server.starter().start(host, contestant).await()) {
            LoadResult result = generator.measure(Load.bursts(process.port(), connections, PACKET, packets, warmUp,
                    measured, process.pid()));
            recorder.record(RATE, result.bytes() * BITS_PER_BYTE / MEGA / result.seconds());
            if (result.serverCpuSeconds() != null && result.bytes() > 0) {
                recorder.record(CPU, result.serverCpuSeconds() / result.bytes() * GIGA);
            }
        }
    }
}
