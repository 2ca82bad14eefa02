package dev.sluice.samples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.CommandRun;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.Programs;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@EnabledOnOs(OS.LINUX)
class CompareTest {

    private static final String REACTORS = "reactor-per-thread";
    private static final String LEADER_FOLLOWERS = "leader-followers";
    private static final String HALF_SYNC = "half-sync-half-async";

    /** As one option, and as what is printed says it. */
    private static final List<String> CONNECTIONS = Depth.current() == Depth.VERIFY ? List.of("3") : List.of("1", "3");

    private static final Pattern PROGRESS = Pattern.compile("sluice compare: (?<measured>\\d+) of (?<total>\\d+)"
            + " measurements(?<left>, about (\\d+ h )?(\\d+ min( \\d+ s)?|\\d+ s) left)?");
    private static final Pattern INTERRUPTED = Pattern.compile("sluice compare: interrupted: (?<missing>\\d+) of 4000"
            + " measurements and (?<rows>\\d) of 4 rows are missing");

    /** How a user ends it. */
    private interface Ending {
        void end(SampleProcess compare) throws Exception;
    }

    static Stream<JavaHome> javas(TestInfo test) {
        return Depth.first(test, JavaHome.all().stream(), 1);
    }

    @ParameterizedTest
    @MethodSource("javas")
    void measuresEverySetupUnderEveryWorkload(JavaHome java, @TempDir Path directory) throws Exception {
        Path csv = directory.resolve("table.csv");
        try (RunningSample compare = SampleCommand.of("compare", "--concurrency", LEADER_FOLLOWERS + "," + HALF_SYNC,
                "--demultiplexers", "poll", "--layouts", "one-handle-set", "--orders", "lifo",
                "--promotions", "before-dispatch", "--connections", String.join(",", CONNECTIONS),
                "--cpu", "0,10000",
                "--seconds", "0.1", "--warm-up", "0.1", "--repetitions", "2", "--csv", csv.toString())
                .on(java).start()) {
            assertEquals(0, compare.awaitExit(), compare.errors()::text);
            assertProgress(withoutWarnings(compare.errors().lines()), 8 * CONNECTIONS.size());
            List<Map<String, String>> rows = rows(csv);
            assertEquals(4 * CONNECTIONS.size(), rows.size(), rows::toString);
            rows.forEach(CompareTest::assertSane);
            for (String strategy : List.of(LEADER_FOLLOWERS, HALF_SYNC)) {
                for (String connections : CONNECTIONS) {
                    double idle = number(row(rows, strategy, connections, "0"), "SERVER CPU US/REQ");
                    double busy = number(row(rows, strategy, connections, "10000"), "SERVER CPU US/REQ");
                    assertTrue(busy > idle, () -> "the handler costs nothing: " + rows);
                }
            }
            assertPrinted(compare.output().lines());
        }
    }

    /** Whether others are busy on the machine that tests run on, is not theirs to say. */
    private static List<String> withoutWarnings(List<String> errors) {
        return errors.stream().filter(line -> !line.startsWith("sluice compare: warning: ")).toList();
    }

    private static void assertProgress(List<String> lines, int total) {
        long last = 0;
        for (String line : lines) {
            Matcher progress = PROGRESS.matcher(line);
            assertTrue(progress.matches(), line);
            assertTrue(Long.parseLong(progress.group("measured")) > last, lines::toString);
            last = Long.parseLong(progress.group("measured"));
            assertEquals(total, Integer.parseInt(progress.group("total")), line);
            assertEquals(last < total, progress.group("left") != null, line);
        }
        assertEquals(total, last, lines::toString);
    }

    private static List<Map<String, String>> rows(Path csv) throws Exception {
        List<String[]> lines = Files.readAllLines(csv).stream().map(line -> line.split(",")).toList();
        List<Map<String, String>> rows = new ArrayList<>();
        for (String[] line : lines.subList(1, lines.size())) {
            assertEquals(lines.get(0).length, line.length, () -> Arrays.toString(line));
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < line.length; i++) {
                row.put(lines.get(0)[i], line[i]);
            }
            rows.add(row);
        }
        return rows;
    }

    private static void assertSane(Map<String, String> row) {
        assertEquals("poll", row.get("HANDLE SET"), row::toString);
        for (String column : List.of("REQ/S", "P50 US", "SWITCHES/REQ", "SERVER CPU US/REQ")) {
            assertTrue(number(row, column) > 0, () -> column + " in " + row);
        }
        assertTrue(number(row, "P50 US") <= number(row, "P99 US"), row::toString);
        assertTrue(number(row, "P99 US") <= number(row, "P99.9 US"), row::toString);
        boolean halfSync = row.get("STRATEGY").equals(HALF_SYNC);
        // It hands on a copy of each request.
        assertTrue(number(row, "BYTES/REQ") >= (halfSync ? BusyWork.CONTENT : 0), row::toString);
        assertEquals("-", row.get("X ONE REACTOR"), row::toString);
        assertTrue(halfSync ? row.get("X HALF-SYNC").equals("1.00") : number(row, "X HALF-SYNC") > 0, row::toString);
    }

    private static double number(Map<String, String> row, String column) {
        return Double.parseDouble(row.get(column));
    }

    private static Map<String, String> row(List<Map<String, String>> rows, String strategy, String connections,
                                           String cpu) {
        List<Map<String, String>> found = rows.stream().filter(row -> row.get("STRATEGY").equals(strategy)
                && row.get("CONNECTIONS").equals(connections) && row.get("CPU US").equals(cpu)).toList();
        assertEquals(1, found.size(), rows::toString);
        return found.get(0);
    }

    private static void assertPrinted(List<String> lines) {
        int workloads = 2 * CONNECTIONS.size();
        assertTrue(lines.get(0).startsWith("2 setups x " + workloads + " workloads x 2 repetitions: about "),
                lines.get(0));
        assertTrue(lines.get(2).matches("CONNECTIONS +CPU US +STRATEGY +HANDLE SET +THREADS +LAYOUT +KIND +ORDER "
                + "+PROMOTION +REQ/S .*"),
                lines.get(2));
        // A line of heading, a line for each claim, and one for each workload.
        List<String> findings = lines.subList(lines.lastIndexOf("") + 1, lines.size());
        assertEquals(1 + Claim.values().length + workloads, findings.size(), lines::toString);
        for (Claim claim : Claim.values()) {
            String verdict = claim.text().contains(HALF_SYNC) ? ": not decided; of " + workloads + " pairs "
                    : ": not compared";
            assertTrue(findings.get(1 + claim.ordinal()).startsWith(claim.text() + verdict), findings::toString);
        }
        findings.subList(1 + Claim.values().length, findings.size()).forEach(line ->
                assertTrue(line.matches("most requests per second with (1 connection|3 connections), (0|10000) us: "
                        + "not decided between \\S+ on poll.* and \\S+ on poll.*"), line));
    }

    @Test
    void leavesAThreadPoolOutWhereConnectionsWouldWait(@TempDir Path directory) throws Exception {
        Path csv = directory.resolve("table.csv");
        CommandRun compare = CommandRun.of("compare", "--concurrency", "thread-pool", "--threads", "2",
                "--connections", "2,3", "--cpu", "0", "--seconds", "0.05", "--warm-up", "0.05", "--repetitions", "1",
                "--csv", csv.toString());
        assertEquals(0, compare.exitCode(), compare::errors);
        List<Map<String, String>> rows = rows(csv);
        assertEquals(1, rows.size(), rows::toString);
        assertEquals("2", rows.get(0).get("CONNECTIONS"), rows::toString);
        assertTrue(number(rows.get(0), "REQ/S") > 0, rows::toString);
        assertTrue(compare.output().lines().anyMatch(line ->
                line.startsWith("thread-pool is left out with 3 connections: ")), compare::output);
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void measuresEveryStrategy(@TempDir Path directory) throws Exception {
        Path csv = directory.resolve("table.csv");
        CommandRun compare = CommandRun.of("compare", "--connections", "2", "--cpu", "0", "--seconds", "0.05",
                "--warm-up", "0", "--repetitions", "1", "--csv", csv.toString());
        assertEquals(0, compare.exitCode(), compare::errors);
        List<Map<String, String>> rows = rows(csv);
        for (ConcurrencyStrategy strategy : ConcurrencyStrategy.values()) {
            assertEquals(strategy.unavailable() == null, rows.stream().anyMatch(row ->
                    row.get("STRATEGY").equals(strategy.toString())), () -> strategy + " in " + rows);
        }
        // By default, each claim has rows that it is about.
        List<String> lines = compare.output().lines().toList();
        for (Claim claim : Claim.values()) {
            assertTrue(lines.stream().anyMatch(line -> line.startsWith(claim.text() + ": not decided; of ")),
                    () -> claim + " in " + lines);
        }
    }

    @Test
    void warnsOfWhatElseIsBusy() throws Exception {
        // Neither this process nor the comparison's servers.
        List<Process> others = new ArrayList<>();
        try {
            for (int i = Runtime.getRuntime().availableProcessors(); i > 0; i--) {
                others.add(new ProcessBuilder("nice", "-n", "19", "sh", "-c", "while :; do :; done").start());
            }
            CommandRun compare = CommandRun.of("compare", "--concurrency", REACTORS, "--threads", "1",
                    "--demultiplexers", "poll", "--connections", "1", "--cpu", "0", "--seconds", "0.3", "--warm-up",
                    "0", "--repetitions", "1");
            assertEquals(0, compare.exitCode(), compare::errors);
            assertTrue(compare.errors().lines().anyMatch(line -> line.startsWith("sluice compare: warning: "
                    + "other processes were busy on this machine in 1 of 1 rows, for up to ")), compare::errors);
        } finally {
            others.forEach(Process::destroyForcibly);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--concurrency|nonsense", "--demultiplexers|nonsense", "--connections|1,0", "--cpu|-1", "--threads|0",
        "--repetitions|0", "--seconds|NaN", "--warm-up|-1"})
    void refusesBadOptions(String option, String value) {
        assertRefused(option, option, value);
    }

    @Test
    void refusesAnEmptyComparison() {
        assertRefused("--concurrency", "--concurrency", "concurrent-proactor", "--demultiplexers", "poll");
    }

    private static void assertRefused(String blamed, String... options) {
        List<String> arguments = new ArrayList<>(List.of("compare"));
        arguments.addAll(List.of(options));
        CommandRun compare = CommandRun.of(arguments.toArray(String[]::new));
        assertEquals(2, compare.exitCode());
        assertEquals("", compare.output());
        assertEquals(1, compare.errors().lines().count(), compare::errors);
        assertTrue(compare.errors().contains(blamed), compare::errors);
    }

    @Test
    void saysWhichServerHasFailed() throws Exception {
        try (SampleProcess compare = endless()) {
            awaitServers(compare).forEach(ProcessHandle::destroyForcibly);
            assertEquals(1, compare.awaitExit());
            assertEquals(1, compare.errors().lines().size(), compare.errors()::text);
            assertTrue(compare.errors().text().startsWith("sluice compare: reactor-per-thread on poll (1 thread): "),
                    compare.errors()::text);
            assertTrue(compare.output().text().contains("CONNECTIONS"), "what has been measured is lost");
        }
    }

    @Test
    void rewritesALineOnATerminal() throws Exception {
        assumeTrue(Programs.has("script"), "no script(1) here");
        try (SampleProcess compare = SampleCommand.of("compare", "--concurrency", REACTORS, "--threads", "1",
                "--demultiplexers", "poll", "--connections", "1", "--cpu", "0,1", "--seconds", "0.05",
                "--warm-up", "0.1", "--repetitions", "1").onTerminal().startProcess()) {
            assertEquals(0, compare.awaitExit(), compare.output()::text);
            // Not by lines(), which takes the return of the carriage for an end of a line too.
            List<String> lines = List.of(compare.output().text().split("\n"));
            assertTrue(lines.get(0).startsWith("1 setups x 2 workloads x 1 repetitions: about "), lines.get(0));
            List<String> texts = Stream.of(lines.get(1).split("\r")).map(String::stripTrailing)
                    .filter(text -> !text.isEmpty()).toList();
            for (int i = 0; i < 2; i++) {
                String begin = i + " of 2 measurements, about ";
                assertTrue(texts.stream().anyMatch(text -> text.startsWith(begin) && text.endsWith(" left")),
                        () -> begin + " in " + texts);
            }
            assertEquals("2 of 2 measurements", texts.get(texts.size() - 1));
            // Nothing of it is left when the table begins.
            assertTrue(lines.get(1).matches("(?s).*\\r +\\r\\r"), lines.get(1));
            assertTrue(lines.get(2).startsWith("CONNECTIONS "), lines.get(2));
        }
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void keepsWhatItHasWhenItIsInterrupted(@TempDir Path directory) throws Exception {
        assertKeeps(130, SampleProcess::interrupt, directory);
    }

    @Test
    void keepsWhatItHasWhenTheTerminalInterruptsItAndItsServers(@TempDir Path directory) throws Exception {
        assertKeeps(130, SampleProcess::interruptGroup, directory);
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void keepsWhatItHasWhenItIsAskedToEnd(@TempDir Path directory) throws Exception {
        assertKeeps(143, SampleProcess::terminate, directory);
    }

    private static void assertKeeps(int exitCode, Ending ending, Path directory) throws Exception {
        Path csv = directory.resolve("table.csv");
        try (SampleProcess compare = SampleCommand.of("compare", "--concurrency", REACTORS + "," + LEADER_FOLLOWERS,
                "--threads", "1", "--demultiplexers", "poll", "--layouts", "one-handle-set", "--orders", "lifo",
                "--promotions", "by-handler", "--connections", "1", "--cpu", "0,1", "--seconds",
                "0.05", "--warm-up", "0.1", "--repetitions", "1000", "--csv", csv.toString())
                .inGroupOfItsOwn().startProcess()) {
            compare.errors().awaitLine("a measurement", line -> PROGRESS.matcher(line).matches());
            List<ProcessHandle> servers = awaitServers(compare);
            ending.end(compare);
            assertEquals(exitCode, compare.awaitExit(), compare.errors()::text);
            assertTrue(servers.stream().noneMatch(ProcessHandle::isAlive), "a server is left");
            List<String> errors = withoutWarnings(compare.errors().lines());
            Matcher last = INTERRUPTED.matcher(errors.get(errors.size() - 1));
            assertTrue(last.matches(), compare.errors()::text);
            assertTrue(Integer.parseInt(last.group("missing")) < 4000, last::group);
            errors.subList(0, errors.size() - 1)
                    .forEach(line -> assertTrue(PROGRESS.matcher(line).matches(), compare.errors()::text));
            List<Map<String, String>> rows = rows(csv);
            assertEquals(4 - Integer.parseInt(last.group("rows")), rows.size(), rows::toString);
            assertEquals(REACTORS, rows.get(0).get("STRATEGY"), rows::toString);
            assertTrue(number(rows.get(0), "REQ/S") > 0, rows::toString);
            List<String> output = compare.output().lines();
            // The table begins after the announcement and a blank line. It is followed by a blank line, five lines on
            // its columns, a blank line, a heading, a line for each claim and one for each workload.
            assertTrue(output.get(2).startsWith("CONNECTIONS "), compare.output()::text);
            assertEquals(3 + rows.size() + 6 + 2 + Claim.values().length + 2, output.size(), compare.output()::text);
        }
    }

    @Test
    void itsServersIgnoreTheTerminalsSignalsAndDoNotOutliveIt() throws Exception {
        List<ProcessHandle> servers;
        try (SampleProcess compare = endless()) {
            servers = awaitServers(compare);
            for (ProcessHandle server : servers) {
                ProcessFigures figures = new ProcessFigures(server);
                Patience.until("it ignores them",
                        () -> figures.ignores(SampleProcess.SIGINT) && figures.ignores(SampleProcess.SIGTERM));
            }
        }
        Patience.until("it has ended", () -> servers.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static SampleProcess endless() throws Exception {
        return SampleCommand.of("compare", "--concurrency", REACTORS, "--threads", "1",
                "--demultiplexers", "poll", "--seconds", "3600").startProcess();
    }

    private static List<ProcessHandle> awaitServers(SampleProcess compare) throws Exception {
        ProcessHandle process = compare.figures().process();
        Patience.until("a server is started", () -> process.children().findAny().isPresent());
        return process.children().toList();
    }
}
