package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.util.List;

/** Benchmarks whose second trial starts a server that starts another, and then waits for its end, which never comes. */
final class InterruptedBenchmarks {

    static final String SERVERS = "servers: ";

    // Both processes must be ended: the end of one does not end the other.
    private static final String SERVER = "sleep 100000 & echo $$ $!; wait";

    private InterruptedBenchmarks() {
    }

    public static void main(String[] arguments) {
        Suite suite = new MadeUpSuite("made-up", List.of(new Section("time", "ns", Better.LOWER, null, Chart.NONE)),
                (scale, host) -> new Preparation(List.of(
                        MadeUpSuite.trial("one", "first", recorder -> recorder.record("time", 42)),
                        MadeUpSuite.trial("one", "server", recorder -> serve(host, recorder))), 1, List.of()));
        System.exit(Main.commandLine(List.of(suite)).execute(arguments));
    }

    private static void serve(Host host, Recorder recorder) throws IOException, InterruptedException {
        Process server = host.start(new ProcessBuilder("sh", "-c", SERVER));
        System.out.println(SERVERS + server.inputReader().readLine());
        recorder.record("time", server.waitFor());
    }
}
