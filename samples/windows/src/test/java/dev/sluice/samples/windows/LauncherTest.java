package dev.sluice.samples.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import dev.sluice.windows.WindowsJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code sluice.cmd}, run by the command interpreter of Wine on a build that is finished, in a directory whose name has
 * blanks and an exclamation mark. What it does where nothing is built yet, {@code WindowsLauncherTest} of the samples
 * tests with a Java that prints its arguments.
 */
@EnabledOnOs(OS.LINUX)
@Tag("windows")
@Tag(Depth.IN_MATRIX)
class LauncherTest {

    /** The first start makes a cache, and Wine starts itself. */
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private WindowsJvm jvm;
    private Path directory;
    private Path tree;

    @BeforeEach
    void copyTree() throws IOException {
        jvm = WindowsJvm.ofVersion(25);
        directory = jvm.newDirectory();
        tree = Files.createDirectory(directory.resolve("a tree! of mine"));
        copy("sluice.cmd");
        copy("pom.xml");
        copy(".mvn/modules.txt");
        try (Stream<Path> modules = Files.list(Repository.root().resolve("samples/servers/target/modules"))) {
            for (Path module : modules.filter(file -> file.toString().endsWith(".jar")).toList()) {
                copy("samples/servers/target/modules/" + module.getFileName());
            }
        }
        // Newer than all that it is built of.
        Files.createFile(tree.resolve("samples/servers/target/modules/.built"));
    }

    private void copy(String name) throws IOException {
        Path to = tree.resolve(name);
        Files.createDirectories(to.getParent());
        Files.copy(Repository.root().resolve(name), to, StandardCopyOption.COPY_ATTRIBUTES);
    }

    @AfterEach
    void deleteTree() throws IOException {
        WindowsJvm.delete(directory);
    }

    @Test
    void theSecondStartUsesTheCacheOfTheFirst() throws Exception {
        String first = doctor();
        assertTrue(first.contains("making the next starts faster"), first);
        assertTrue(Files.size(tree.resolve("samples/servers/target/modules/.start-25.0.2.aot")) > 0);
        String second = doctor();
        assertEquals("", second);
    }

    /**
     * What the interpreter reads by the code page of the console, as the text of the script, is the same in all of
     * them; names of files are not read by it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"437", "1252", "65001"})
    void startsWhereItsPathHasAnUmlaut(String codePage) throws Exception {
        // By a shell: there may be no such letter in the file names of this JVM.
        assertEquals(0, new ProcessBuilder("sh", "-c", "mv 'a tree! of mine' \"$(printf 'J\\303\\274rgen of mine')\"")
                .directory(directory.toFile()).start().waitFor());
        tree = directory;
        // So that no cache is made: that is another test's.
        doctor(List.of("-Xshare:auto"), "chcp", codePage, ">nul", "&", "cd", "J*", "&", "sluice.cmd", "doctor");
    }

    private String doctor() throws Exception {
        return doctor(List.of(), "sluice.cmd", "doctor");
    }

    /** {@return what it says on standard error} */
    private String doctor(List<String> options, String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("wine", "cmd", "/c"));
        all.addAll(List.of(command));
        ProcessBuilder builder = jvm.enter(new ProcessBuilder(all).directory(tree.toFile()));
        // Wine reads the names of files by it.
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("SLUICE_JAVA_HOME", jvm.windowsPath(jvm.javaHome()));
        builder.environment().put("SLUICE_JAVA_OPTS", "-XX:-PrintWarnings " + String.join(" ", options));
        try (SampleProcess process = SampleProcess.start(builder, TIMEOUT)) {
            assertEquals(0, process.awaitExit(), process.errors()::text);
            String output = process.output().text();
            for (String mechanism : List.of("iocp", "afd", "afd-one-shot", "wsapoll", "wfmo", "select")) {
                assertTrue(output.lines().anyMatch(line -> line.strip().startsWith(mechanism + " ")),
                        () -> mechanism + " in " + output);
            }
            return process.errors().text().strip();
        }
    }
}
