package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.sluice.samples.PackagedSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Commands of the READMEs that take minutes. */
@EnabledOnOs(OS.LINUX)
@Tag(PackagedSamples.TAG)
class LongCommandsTest {

    /** The build that runs these tests is one: a second one inside would start a third. */
    private static final String VERIFY = "mvn verify";

    @TempDir
    private Path directory;

    /** In every build, so that none is forgotten. */
    @Test
    void thoseForMavenAreRun() throws IOException {
        assertEquals(new TreeSet<>(Set.of(VERIFY, InstalledArtifactsTest.INSTALL, InstalledArtifactsTest.PACKAGE)),
                longCommands().stream().map(Command::text).filter(text -> text.startsWith("mvn"))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static Set<Command> longCommands() throws IOException {
        Set<Command> commands = new LinkedHashSet<>();
        for (String document : DocumentedCommandsTest.DOCUMENTS) {
            Document.read(document).passages().stream().flatMap(passage -> passage.commands().stream())
                    .filter(Command::isLong).forEach(commands::add);
        }
        return commands;
    }

    @TestFactory
    @Tag("acceptance")
    List<DynamicTest> toolsPrintWhatTheyMeasure() throws IOException {
        PackagedSamples.check();
        List<DynamicTest> tests = new ArrayList<>();
        for (Command command : longCommands()) {
            if (command.isSluice()) {
                Path own = directory.resolve(Integer.toString(tests.size()));
                tests.add(dynamicTest(command.text(), () -> measure(command, own)));
            }
        }
        return tests;
    }

    private static void measure(Command command, Path directory) throws Exception {
        String contestant = command.sample().equals("tour") ? "FileChannel" : "leader-followers";
        try (Checkout checkout = new Checkout(Files.createDirectory(directory))) {
            String table = LongProcess.run(checkout.shell(command));
            assertTrue(table.contains(contestant), table);
            Optional<String> file = command.value("--csv");
            if (file.isPresent()) {
                String copy = Files.readString(checkout.directory().resolve(file.get()));
                assertTrue(copy.contains(contestant), copy);
            }
        }
    }
}
