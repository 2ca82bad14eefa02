package dev.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A signal in the middle of a run: nothing that was started goes on, and nothing that was measured is lost. */
@EnabledOnOs(OS.LINUX)
class InterruptionTest {

    @TempDir
    private Path directory;

    private SampleProcess start(Class<?> main, String... arguments) throws Exception {
        String[] command = Stream.concat(Stream.of(arguments), Stream.of("--output", directory.toString()))
                .toArray(String[]::new);
        // Another JMH on this machine is no reason to measure nothing here.
        return SampleCommand.of(command).withMain(main.getName()).withOption("-Djmh.ignoreLock=true").startProcess();
    }

    private static void signal(SampleProcess process, int signal) throws Exception {
        if (signal == SampleProcess.SIGINT) {
            process.interrupt();
        } else {
            process.terminate();
        }
    }

    static Stream<Integer> signals(TestInfo test) {
        return Depth.first(test, Stream.of(SampleProcess.SIGINT, SampleProcess.SIGTERM), 1);
    }

    @ParameterizedTest
    @MethodSource("signals")
    void endsServersAndTheirServersAndKeepsWhatWasMeasured(int signal) throws Exception {
        try (SampleProcess benchmarks = start(InterruptedBenchmarks.class)) {
            String line = benchmarks.output().awaitLine("the servers",
                    text -> text.startsWith(InterruptedBenchmarks.SERVERS));
            List<ProcessHandle> servers = new ArrayList<>();
            for (String pid : line.substring(InterruptedBenchmarks.SERVERS.length()).split(" ")) {
                servers.add(ProcessHandle.of(Long.parseLong(pid)).orElseThrow());
            }
            assertEquals(2, servers.size());

            signal(benchmarks, signal);

            assertEquals(128 + signal, benchmarks.awaitExit(), benchmarks.errors()::text);
            Patience.until(() -> "the end of " + servers, () -> servers.stream().noneMatch(ProcessHandle::isAlive));
            Path suite = directory.resolve("made-up");
            assertEquals(List.of(new Sample("made-up", "one", "first", "time", 1, 42)), Results.read(suite));
            RunDescription run = RunDescription.read(suite).orElseThrow();
            assertFalse(run.complete());
            assertEquals(List.of(), run.failures(), "what is ended has not failed");
            Path report = directory.resolve("RESULTS.md");
            assertTrue(benchmarks.output().lines().contains(report.toString()), benchmarks.output()::text);
            Path page = directory.resolve("results/made-up.md");
            assertTrue(Files.readString(page).contains("42"), () -> "no table in " + page);
            assertFalse(benchmarks.errors().text().contains("Exception"), benchmarks.errors()::text);
        }
    }

    @Test
    void endsWhatJmhHasForked() throws Exception {
        try (SampleProcess benchmarks = start(Main.class, "call", "--quick")) {
            ProcessHandle self = ProcessHandle.of(benchmarks.pid()).orElseThrow();
            Path suite = directory.resolve("call");
            Path samples = suite.resolve(Results.FILE);
            Patience.until(() -> "a sample; it says " + benchmarks.errors().text(),
                    () -> Files.exists(samples) && Files.size(samples) > 0);
            List<ProcessHandle> forks = new ArrayList<>();
            Patience.until("a fork", () -> {
                Optional<ProcessHandle> fork = self.descendants().findAny();
                fork.ifPresent(forks::add);
                return fork.isPresent();
            });

            benchmarks.terminate();

            assertEquals(128 + SampleProcess.SIGTERM, benchmarks.awaitExit(), benchmarks.errors()::text);
            Patience.until(() -> "the end of " + forks, () -> forks.stream().noneMatch(ProcessHandle::isAlive));
            assertFalse(RunDescription.read(suite).orElseThrow().complete());
            assertFalse(Results.read(suite).isEmpty());
            assertTrue(Files.exists(directory.resolve("RESULTS.md")));
        }
    }
}
