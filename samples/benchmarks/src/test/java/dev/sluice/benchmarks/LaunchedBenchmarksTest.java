package dev.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.sluice.samples.PackagedSamples;
import dev.sluice.samples.SampleProcess;
import dev.sluice.samples.documents.Checkout;
import dev.sluice.samples.documents.Command;
import dev.sluice.samples.documents.Document;
import dev.sluice.samples.documents.Documents;
import dev.sluice.samples.documents.LongProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The benchmarks as users start them, and as the documents show it. */
@EnabledOnOs(OS.LINUX)
@Tag(PackagedSamples.TAG)
class LaunchedBenchmarksTest {

    @TempDir
    private Path directory;

    @BeforeAll
    static void checkThatNothingHasToBeBuilt() throws IOException {
        PackagedSamples.checkBenchmarks();
    }

    private static List<Command> documented() throws IOException {
        Set<Command> commands = new LinkedHashSet<>();
        for (String document : Documents.WITH_COMMANDS) {
            Document.read(document).passages().stream().flatMap(passage -> passage.commands().stream())
                    .filter(Command::isBenchmark).forEach(commands::add);
        }
        return List.copyOf(commands);
    }

    private static boolean measures(Command command) {
        return Stream.of("--help", "--list", "--report-only", "--charts-only").noneMatch(command::has)
                && !command.text().equals("./sluice seda");
    }

    private static SampleProcess run(Checkout checkout, Command command) throws Exception {
        SampleProcess process = SampleProcess.start(checkout.shell(command));
        try (process) {
            assertEquals(0, process.awaitExit(), process.errors()::text);
        }
        return process;
    }

    @Test
    void theDocumentsShowHowToStartThem() throws IOException {
        assertTrue(documented().stream().anyMatch(LaunchedBenchmarksTest::measures));
    }

    /** Those that measure take minutes or hours: what is shown at once is that they are understood. */
    @TestFactory
    List<DynamicTest> understandWhatTheDocumentsSay() throws IOException {
        return documented().stream().map(command -> dynamicTest(command.text(), () -> {
            List<String> arguments = command.words().subList(2, command.words().size());
            CommandLine commandLine = command.words().get(1).equals("seda") ? Main.seda(Suites.ALL)
                    : Main.commandLine(Suites.ALL);
            commandLine.parseArgs(arguments.toArray(String[]::new));
        })).toList();
    }

    @Test
    void listSuites() throws Exception {
        try (Checkout checkout = new Checkout(directory)) {
            SampleProcess process = run(checkout, new Command("./sluice bench --list"));
            assertEquals(Suites.ALL.stream().map(suite -> suite.name()).toList(),
                    process.output().lines().stream().map(line -> line.split(" ")[0]).toList());
            assertEquals("", process.errors().text());
        }
    }

    @Test
    void listExperiments() throws Exception {
        try (Checkout checkout = new Checkout(directory)) {
            SampleProcess process = run(checkout, new Command("./sluice seda"));
            assertEquals(Suites.ALL.stream().map(suite -> suite.name()).filter(name -> name.startsWith("seda-"))
                            .map(name -> name.substring("seda-".length())).toList(),
                    process.output().lines().stream().map(line -> line.split(" ")[0]).toList());
        }
    }

    @Test
    void writeToADirectoryBesideTheUser() throws Exception {
        try (Checkout checkout = new Checkout(directory)) {
            SampleProcess process = run(checkout, new Command("./sluice bench call --smallest --output here"));
            assertEquals(List.of("here/RESULTS.md"), process.output().lines());
            String report = Files.readString(checkout.directory().resolve("here/results/call.md"));
            assertTrue(report.contains("| made by | `./sluice bench call --smallest --output here` |"), report);
            assertTrue(report.contains("<picture>"), report);
            assertFalse(process.errors().text().contains("WARNING"), process.errors()::text);
        }
    }

    /** At the smallest scale, with any options; the output has the same form. */
    @TestFactory
    @Tag("acceptance")
    List<DynamicTest> doWhatTheDocumentsSay() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Command command : documented()) {
            Path own = directory.resolve(Integer.toString(tests.size()));
            tests.add(dynamicTest(command.text(), () -> {
                try (Checkout checkout = new Checkout(Files.createDirectory(own))) {
                    type(checkout, command);
                }
            }));
        }
        return tests;
    }

    private static void type(Checkout checkout, Command command) throws Exception {
        if (!measures(command)) {
            if (command.has("--report-only") || command.has("--charts-only")) {
                run(checkout, new Command("./sluice bench call --smallest"));
            }
            run(checkout, command);
            return;
        }
        Command smallest = new Command(command.text().replace(" --quick", "") + " --smallest");
        String said = LongProcess.run(checkout.shell(smallest));
        Path report = Path.of(command.value("--output").orElse("bench-results"), "RESULTS.md");
        assertTrue(said.lines().anyMatch(report.toString()::equals), said);
        assertTrue(Files.exists(checkout.directory().resolve(report)), said);
    }
}
