package dev.sluice.samples.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Programs;
import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code sluice.cmd}, run by the command interpreter of Wine with a Java that prints its arguments. Wine has no
 * PowerShell, so that what is out of date is seen only where nothing is built at all.
 */
@EnabledOnOs(OS.LINUX)
class WindowsLauncherTest {

    private static final String JAVA_SOURCE = """
            #include <stdio.h>
            #include <string.h>
            int main(int count, char **arguments) {
                for (int i = 1; i < count; i++) {
                    if (strcmp(arguments[i], "-XX:AOTMode=record") == 0) {
                        return 0;
                    }
                    // Makes a cache where the test has put something into its own directory to make it of.
                    if (strcmp(arguments[i], "-XX:AOTMode=create") == 0) {
                        for (FILE *from = fopen("classes", "r"); from; from = NULL) {
                            fclose(from);
                            FILE *to = fopen(strchr(arguments[i + 2], '=') + 1, "w");
                            fputs("classes", to);
                            fclose(to);
                            return 0;
                        }
                        return 1;
                    }
                }
                for (int i = 1; i < count; i++) {
                    puts(arguments[i]);
                }
                return 7;
            }
            """;
    private static final String COMPILER = "x86_64-w64-mingw32-gcc";
    private static final String NATIVE_ACCESS =
            "--enable-native-access=dev.sluice.ffm,com.sun.jna,org.xerial.sqlitejdbc";

    @TempDir
    static Path shared;

    private static Path javaProgram;
    private static Path winePrefix;

    private Path tree;

    @BeforeAll
    static void compileJava() throws Exception {
        for (String program : List.of("wine", COMPILER)) {
            if (!Programs.has(program)) {
                System.out.println("WindowsLauncherTest skipped: no " + program + " on the PATH");
                assumeTrue(false);
            }
        }
        Path source = Files.writeString(shared.resolve("java.c"), JAVA_SOURCE);
        javaProgram = shared.resolve("java.exe");
        run(0, new ProcessBuilder(COMPILER, "-o", javaProgram.toString(), source.toString()));
        // Takes long to make and is full of links, so that it stays for the next time.
        winePrefix = Repository.root().resolve("samples/target/wine");
    }

    @BeforeEach
    void makeTree(@TempDir Path directory) throws Exception {
        tree = Files.createDirectories(directory.resolve("a tree"));
        Files.createDirectories(tree.resolve("samples"));
        Files.createDirectories(tree.resolve("jdk/bin"));
        Files.copy(javaProgram, tree.resolve("jdk/bin/java.exe"));
        java(25);
        // As git checks it out on Windows: cmd misreads labels in files with bare line feeds.
        String launcher = Files.readString(Repository.root().resolve("sluice.cmd")).replace("\r\n", "\n");
        Files.writeString(tree.resolve("sluice.cmd"), launcher.replace("\n", "\r\n"));
        maven("mkdir samples\\target\\modules", "echo built> samples\\target\\modules\\.built",
                "exit /b 0");
    }

    private void java(int feature) throws Exception {
        Files.writeString(tree.resolve("jdk/release"),
                "IMPLEMENTOR=\"nobody\"\r\nJAVA_VERSION=\"" + feature + ".0.1\"\r\n");
    }

    private void maven(String... commands) throws Exception {
        Files.writeString(tree.resolve("mvn.cmd"), "@echo off\r\necho called>> calls\r\n"
                + String.join("\r\n", commands)
                + "\r\n");
    }

    private int mavenCalls() throws Exception {
        Path calls = tree.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
    }

    private static String windowsPath(Path path) {
        return "Z:" + path.toString().replace('/', '\\');
    }

    private SampleProcess launch(int exitCode, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("wine", "cmd", "/c", "sluice.cmd"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(tree.toFile());
        builder.environment().put("WINEPREFIX", winePrefix.toString());
        builder.environment().put("WINEDEBUG", "-all");
        builder.environment().put("TMPDIR", winePrefix.getParent().toString());
        builder.environment().put("XDG_RUNTIME_DIR", winePrefix.getParent().toString());
        builder.environment().put("WINEPATH", windowsPath(tree));
        builder.environment().put("SLUICE_JAVA_HOME", windowsPath(tree.resolve("jdk")));
        return run(exitCode, builder);
    }

    private static SampleProcess run(int exitCode, ProcessBuilder builder) throws Exception {
        return FakeTree.run(exitCode, builder);
    }

    private List<String> expectedArguments(String... arguments) {
        List<String> expected = new ArrayList<>(List.of("-p", windowsPath(tree.resolve("samples/target/modules")), "-m",
                "dev.sluice.samples/dev.sluice.samples.Main"));
        expected.addAll(List.of(arguments));
        return expected;
    }

    @Test
    void buildsWhatIsMissingOnceAndHandsItsArgumentsOn() throws Exception {
        List<String> expected = expectedArguments("echo", "--host", "two words", "a!b");
        expected.add(0, NATIVE_ACCESS);
        for (int launch = 0; launch < 2; launch++) {
            SampleProcess process = launch(7, "echo", "--host", "two words", "a!b");
            assertEquals(expected, process.output().lines());
            assertEquals(1, mavenCalls());
        }
        assertFalse(Files.exists(tree.resolve("samples/target/launcher.lock")), "the lock is left behind");
    }

    @Test
    void tellsHowFarTheBuildIs() throws Exception {
        maven("echo %*> arguments", "echo [INFO] Building a module [1/9]", "mkdir samples\\target\\modules",
                "echo built> samples\\target\\modules\\.built", "exit /b 0");
        String told = launch(7, "doctor").errors().text();
        assertTrue(told.contains("[INFO] Building a module [1/9]"), told);
        // What makes Maven say that, and little else.
        String arguments = Files.readString(tree.resolve("arguments"));
        assertTrue(arguments.contains("org.apache.maven.cli.event=info") && !arguments.contains("-q"), arguments);
    }

    @Test
    void asksForNoNativeAccessWhereJavaDoesNotKnowIt() throws Exception {
        java(17);
        assertEquals(expectedArguments("doctor"), launch(7, "doctor").output().lines());
    }

    @Test
    void startsTheBenchmarksOnTheirClassPath() throws Exception {
        maven("echo %*> arguments",
                "mkdir samples\\benchmarks\\target\\class-path",
                "echo built> samples\\benchmarks\\target\\class-path\\.built", "exit /b 0");
        List<String> expected = List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-cp", windowsPath(tree.resolve("samples/benchmarks/target/class-path")) + "\\*",
                "dev.sluice.benchmarks.Main", "call", "--output", "two words");
        for (int launch = 0; launch < 2; launch++) {
            assertEquals(expected, launch(7, "bench", "call", "--output", "two words").output().lines());
            assertEquals(1, mavenCalls());
        }
        String arguments = Files.readString(tree.resolve("arguments"));
        assertTrue(arguments.contains("-pl samples/benchmarks -am package"), arguments);
        assertEquals(expected.subList(0, 5), launch(7, "bench").output().lines());
    }

    @Test
    void needsANewerJavaForTheBenchmarks() throws Exception {
        java(21);
        SampleProcess process = launch(1, "bench");
        assertTrue(process.errors().text().contains("bench needs a Java 22 or newer, and this is 21"),
                process.errors().text());
        assertEquals(0, mavenCalls());
    }

    @Test
    void refusesAJavaThatIsTooOld() throws Exception {
        java(11);
        SampleProcess process = launch(1, "doctor");
        assertTrue(process.errors().text().contains("SLUICE_JAVA_HOME is not a Java 17 or newer"),
                process.errors().text());
        assertEquals(0, mavenCalls());
    }

    @Test
    void saysThatTheBuildFailedAndTriesAgain() throws Exception {
        maven("exit /b 3");
        for (int launch = 1; launch <= 2; launch++) {
            SampleProcess process = launch(1, "doctor");
            assertTrue(process.errors().text().contains("sluice: the build failed"), process.errors().text());
            assertEquals("", process.output().text());
            assertEquals(launch, mavenCalls());
        }
    }

    @Test
    void makesACacheOnceAndUsesIt() throws Exception {
        Files.writeString(tree.resolve("classes"), "");
        Path cache = tree.resolve("samples/target/modules/.start-25.0.1.aot");
        for (int launch = 0; launch < 2; launch++) {
            SampleProcess process = launch(7, "doctor");
            assertEquals(launch == 0, process.errors().text().contains("making the next starts faster"),
                    process.errors().text());
            List<String> lines = process.output().lines();
            assertEquals(List.of(NATIVE_ACCESS, "-XX:AOTCache=" + windowsPath(cache), "-XX:+VerifySharedSpaces"),
                    lines.subList(0, 3));
            assertEquals(expectedArguments("doctor"), lines.subList(lines.size() - 5, lines.size()));
            assertEquals("classes", Files.readString(cache));
        }
        try (Stream<Path> files = Files.list(cache.getParent())) {
            assertEquals(2, files.count(), "something is left over beside the cache");
        }
    }

    @Test
    void triesOnceToMakeACache() throws Exception {
        List<String> expected = expectedArguments("doctor");
        expected.add(0, NATIVE_ACCESS);
        for (int launch = 0; launch < 2; launch++) {
            SampleProcess process = launch(7, "doctor");
            assertEquals(expected, process.output().lines());
            assertEquals(launch == 0, process.errors().text().contains("making the next starts faster"),
                    process.errors().text());
        }
    }
}
