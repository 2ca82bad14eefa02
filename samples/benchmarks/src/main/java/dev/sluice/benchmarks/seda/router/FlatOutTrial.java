package dev.sluice.benchmarks.seda.router;

import dev.sluice.benchmarks.load.Packets;
import dev.sluice.benchmarks.load.PacketsResult;
import dev.sluice.benchmarks.run.Recorder;
import java.time.Duration;
import java.util.OptionalDouble;

/** As many queries as the router takes. */
final class FlatOutTrial extends RouterTrial {

    FlatOutTrial(String contestant, Setting setting) {
        super(RouterSuite.FLAT_OUT, contestant, setting);
    }

    @Override
    Packets packets(int port, Duration warmUp, Duration measured, long server) {
        return Packets.flatOut(port, warmUp, measured, server);
    }

    @Override
    void record(PacketsResult result, OptionalDouble threads, Recorder recorder) {
        recorder.record(RouterSuite.RATE, result.rate());
    }
}
