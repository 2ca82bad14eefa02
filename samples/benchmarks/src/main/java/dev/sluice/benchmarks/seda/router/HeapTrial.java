package dev.sluice.benchmarks.seda.router;

import dev.sluice.benchmarks.load.PacketsResult;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The packets of {@link SlowPeerTrial} once more, for what the router keeps of them. Each look at that has it collect,
 * which would be seen in the times.
 *
 * @param slow       the number of neighbours that read nothing: none or one
 * @param perSecond  the number of packets per second
 * @param contestant see {@link RouterTrial}
 * @param setting    see {@link RouterTrial}
 */
record HeapTrial(int slow, int perSecond, String contestant, RouterTrial.Setting setting) implements Trial {

    private static final double BYTES_PER_MEGABYTE = 1024 * 1024;

    @Override
    public String scenario() {
        return SlowPeerTrial.scenario(slow);
    }

    @Override
    public Duration planned() {
        return RouterTrial.START.plus(setting.warmUp()).plus(setting.measured());
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        try (ServerProcess router = setting.router(contestant + ", heap", List.of())) {
            HeapWatch watch = HeapWatch.begin(router.pid(), setting.host(), setting.warmUp(),
                    setting.measured());
            PacketsResult result;
            try (watch) {
                result = setting.generator().measure(SlowPeerTrial.packets(router.port(), slow, perSecond,
                        setting.warmUp(), setting.measured(), router.pid()));
            }
            if (result.sent() == 0) {
                throw new IOException("nothing was sent within " + setting.measured().toMillis() + " ms");
            }
            recorder.record(RouterSuite.MEMORY, watch.maxBytes() / BYTES_PER_MEGABYTE);
        }
    }
}
