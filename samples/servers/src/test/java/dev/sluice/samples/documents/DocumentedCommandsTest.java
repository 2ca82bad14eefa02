package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.sluice.samples.CommandRun;
import dev.sluice.samples.PackagedSamples;
import dev.sluice.samples.SampleHost;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Whatever the documents tell their readers to type is typed, as it stands there, and does what they say. What no test
 * knows is a failure. Those that take minutes are left to the profile {@code acceptance}, and the benchmarks to their
 * own module.
 */
@EnabledOnOs(OS.LINUX)
@Tag(PackagedSamples.TAG)
class DocumentedCommandsTest {

    static final List<String> DOCUMENTS = Documents.WITH_COMMANDS;

    /** Stands for the name of each sample. */
    private static final String ANY_SAMPLE = "NAME";

    @TempDir
    private Path directory;
    private SampleHost host;

    @BeforeAll
    static void checkThatNothingHasToBeBuilt() throws IOException {
        PackagedSamples.check();
    }

    @AfterEach
    void endHost() {
        if (host != null) {
            host.close();
        }
    }

    /**
     * In the ordinary build, one JVM is for all servers but those with variables of the launcher: to the others the
     * launcher adds only its options of Java.
     */
    @TestFactory
    List<DynamicTest> doWhatTheDocumentsSay() throws IOException {
        if (Depth.current() == Depth.VERIFY) {
            host = SampleHost.startPackaged(directory);
        }
        return passages(false);
    }

    /** These depend on Java alone, and take seconds: each makes a cache of its own. */
    @TestFactory
    @Tag(Depth.IN_MATRIX)
    List<DynamicTest> makeCachesAsTheDocumentsSay() throws IOException {
        return passages(true);
    }

    private List<DynamicTest> passages(boolean makeCaches) throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        Set<List<Command>> seen = new HashSet<>();
        for (String document : DOCUMENTS) {
            for (Document.Passage passage : Document.read(document).passages()) {
                List<Command> commands = passage.commands().stream()
                        .filter(command -> !command.isLong() && !command.isBenchmark()).toList();
                if (!commands.isEmpty() && seen.add(commands)
                        && makeCaches == commands.stream().anyMatch(Command::makesACache)) {
                    Path own = directory.resolve(Integer.toString(tests.size()));
                    tests.add(dynamicTest(document + ", " + passage.title(), () -> typeAll(commands, own)));
                }
            }
        }
        return tests;
    }

    /** Pasted as a whole, it would be a client that comes before its server accepts, or that is never started. */
    @ParameterizedTest
    @FieldSource("DOCUMENTS")
    void aServerStandsAloneInItsBlock(String document) throws IOException {
        for (Document.Passage passage : Document.read(document).passages()) {
            for (List<Command> block : passage.blocks()) {
                assertTrue(block.size() == 1 || block.stream().noneMatch(Command::isServer), block::toString);
            }
        }
    }

    private void typeAll(List<Command> commands, Path own) throws Exception {
        try (Checkout checkout = new Checkout(Files.createDirectory(own));
                Walkthrough walkthrough = new Walkthrough(checkout, host)) {
            for (Command command : commands) {
                if (command.has(ANY_SAMPLE)) {
                    typeForEachSample(command, walkthrough);
                } else {
                    walkthrough.type(command);
                }
            }
            walkthrough.stop();
        }
    }

    /** With the first name as it stands there, and in this JVM, which the launcher has no part in, with all others. */
    private static void typeForEachSample(Command command, Walkthrough walkthrough) throws Exception {
        List<String> names = samples();
        walkthrough.type(new Command(command.text().replace(ANY_SAMPLE, names.get(0))));
        for (String name : names.subList(1, names.size())) {
            List<String> words = new Command(command.text().replace(ANY_SAMPLE, name)).words();
            CommandRun run = CommandRun.of(words.subList(1, words.size()).toArray(String[]::new));
            assertEquals(0, run.exitCode(), run::errors);
            assertTrue(command.asksForHelp() && run.output().startsWith("Usage: sluice " + name), run::output);
        }
    }

    /** {@return those in the table of their page} */
    private static List<String> samples() throws IOException {
        return Document.read("samples/README.md").passages().stream()
                .filter(row -> row.title().startsWith("All of them: "))
                .map(row -> row.commands().get(0).sample()).toList();
    }

    @Test
    void theTableNamesAllSamples() throws IOException {
        List<String> listed = CommandRun.of("--help").output().lines()
                .dropWhile(line -> !line.equals("Commands:")).skip(1)
                .filter(line -> line.startsWith("  ") && !line.startsWith("   "))
                .map(line -> line.strip().split(" ")[0]).toList();
        assertEquals(listed, samples());
    }
}
