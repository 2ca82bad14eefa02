package dev.sluice.samples.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.samples.CommandRun;
import dev.sluice.samples.Programs;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.samples.server.VirtualThreads;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The sample as a process, whose end nothing prepares, and as a command. */
class WalCommandTest {

    private static final int KILLED = 128 + 9;
    /** Number in the log, run, thread, and number among those of the thread. */
    private static final Pattern ACKNOWLEDGED = Pattern.compile("\\d+ [0-9a-f]+ \\d+ \\d+");

    @TempDir
    private Path directory;

    private String data() {
        return directory.resolve("log").toString();
    }

    /** {@return a load that does not end by itself, of virtual threads if they are wanted and there are any here} */
    private static SampleCommand load(Path log, boolean virtual, String... options) {
        List<String> all = new ArrayList<>(List.of("wal", "--data", log.toString(), "--seconds", "3600", "--print"));
        all.addAll(List.of(options));
        if (virtual && VirtualThreads.unavailable() == null) {
            all.add("--virtual");
        }
        return SampleCommand.of(all.toArray(String[]::new));
    }

    /** {@return the records of the log by their numbers, in the form of the lines for acknowledged ones} */
    private static Map<Long, String> records(Path log) throws IOException {
        Map<Long, String> records = new HashMap<>();
        LoadCheck check = new LoadCheck();
        LogScan.scan(new LogDirectory(log), (number, bytes) -> {
            check.record(number, bytes.duplicate());
            records.put(number, number + " " + LoadRecord.read(bytes));
        });
        return records;
    }

    private static List<String> acknowledged(SampleProcess run) {
        String text = run.output().text();
        // The last line may not be whole.
        return text.substring(0, text.lastIndexOf('\n') + 1).lines()
                .filter(line -> ACKNOWLEDGED.matcher(line).matches()).toList();
    }

    private static void assertAllThere(SampleProcess run, Path log) throws IOException {
        Map<Long, String> records = records(log);
        for (String line : acknowledged(run)) {
            assertEquals(line, records.get(Long.parseLong(line.substring(0, line.indexOf(' ')))));
        }
    }

    @Test
    void appendsAndVerifies() {
        CommandRun run = CommandRun.of("wal", "--data", data(), "--threads", "4", "--seconds", "0.05", "--segment",
                "1");
        assertEquals(0, run.exitCode(), run.errors());
        assertTrue(run.output().matches("(?s)\\d+ appends in \\d+ groups, \\d+ appends/s \\(platform threads\\)\\R"
                + "latency in ms: p50 .*"), run.output());
        long appends = Long.parseLong(run.output().substring(0, run.output().indexOf(' ')));
        CommandRun check = CommandRun.of("wal", "--data", data(), "--verify");
        assertEquals(0, check.exitCode(), check.errors());
        assertTrue(check.output().startsWith(appends + " records, up to "), check.output());
        assertTrue(check.output().contains("of 4 threads in 1 runs: each record is there once"), check.output());
    }

    @Test
    void verifyingNothingIsAFailure() throws IOException {
        CommandRun missing = CommandRun.of("wal", "--data", data(), "--verify");
        assertEquals(1, missing.exitCode());
        assertEquals("sluice wal: " + data() + ": not a directory" + System.lineSeparator(), missing.errors());
        Files.createDirectory(Path.of(data()));
        CommandRun empty = CommandRun.of("wal", "--data", data(), "--verify");
        assertEquals(1, empty.exitCode());
        assertEquals("sluice wal: " + data() + " has no log" + System.lineSeparator(), empty.errors());
    }

    static Stream<String> demultiplexers(TestInfo test) {
        return Depth.first(test, Mechanism.available().stream()
                .filter(each -> each.mode() == Mechanism.Mode.ASYNCHRONOUS && each.availability().usable())
                .map(Mechanism::name), 1);
    }

    /**
     * Nothing that was acknowledged is lost, and nothing is there twice, in logs that are continued some times, by
     * virtual threads and platform threads in turn, and each time by virtual threads on another demultiplexer.
     */
    @Test
    @Tag(Campaign.TAG)
    @EnabledOnOs(OS.LINUX)
    void killedUnderLoadLosesNothing(TestInfo test) throws Exception {
        List<String> demultiplexers = demultiplexers(test).toList();
        for (int round = 0; round < Campaign.count(2, 200); round++) {
            Path log = directory.resolve("log" + round / 10);
            boolean virtual = round % 2 == 0;
            // Used only for virtual threads.
            String demultiplexer = demultiplexers.get(round / 2 % demultiplexers.size());
            try (SampleProcess run = load(log, virtual, "--threads", "8", "--segment", "1", "--bytes", "1000",
                    "--demultiplexer", demultiplexer).startProcess()) {
                run.output().awaitSize((6 - round % 7) * 3_000 + 100);
                run.signal("KILL");
                assertEquals(KILLED, run.awaitExit(), () -> demultiplexer + ": " + run.errors().text());
                assertAllThere(run, log);
            }
        }
    }

    /** The limit cuts a write short, and refuses the rest of it. */
    @ParameterizedTest
    @MethodSource("demultiplexers")
    @EnabledOnOs(OS.LINUX)
    void limitOfTheLengthOfFilesStopsTheLog(String demultiplexer) throws Exception {
        // A segment that is longer than the limit.
        CommandRun first = CommandRun.of("wal", "--data", data(), "--threads", "1", "--seconds", "0", "--segment", "4");
        assertEquals(0, first.exitCode(), first.errors());
        // In blocks of 512 bytes.
        try (SampleProcess run = load(Path.of(data()), true, "--threads", "16", "--segment", "4", "--bytes", "3000",
                "--demultiplexer", demultiplexer).after("ulimit -f 2048").startProcess()) {
            assertEquals(1, run.awaitExit(), run.errors()::text);
            assertTrue(run.errors().text().contains("the log has stopped: pwrite ")
                    && run.errors().text().contains("EFBIG"), run.errors()::text);
            assertTrue(acknowledged(run).size() > 50, "nothing was appended");
            assertAllThere(run, Path.of(data()));
        }
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    @EnabledOnOs(OS.LINUX)
    void fullFileSystemStopsTheLog() throws Exception {
        Path mounted = Files.createDirectory(directory.resolve("log"));
        assumeTrue(Programs.has("unshare"), "no unshare here");
        assumeTrue(new ProcessBuilder("unshare", "-rm", "mount", "-t", "tmpfs", "none", mounted.toString())
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                .onExit().get(1, TimeUnit.MINUTES).exitValue() == 0, "no right to mount a file system here");
        // The file system is gone with its last process, which leaves a copy of the log.
        String inNamespace = "exec unshare -rm sh -c 'mount -t tmpfs -o size=5m none " + mounted
                + " && \"$@\"; code=$?; cp " + mounted + "/*.wal " + directory + " && exit $code' sh \"$@\"";
        try (SampleProcess run = load(Path.of(data()), false, "--threads", "4", "--segment", "1", "--bytes", "3000")
                .after(inNamespace).startProcess()) {
            assertEquals(1, run.awaitExit(), run.errors()::text);
            assertTrue(run.errors().text().contains("the log has stopped: no further segment: ")
                    && run.errors().text().contains("ENOSPC"), run.errors()::text);
            assertTrue(acknowledged(run).size() > 100, "nothing was appended");
            assertAllThere(run, directory);
        }
    }
}
