package dev.sluice.samples.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Programs;
import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code sluice.cmd}, run by the command interpreter of Wine with a Java that prints its arguments. Whether the build
 * is up to date that Java answers as the test wants it; {@code FreshnessTest} has the answers of the real one.
 */
@EnabledOnOs(OS.LINUX)
class WindowsLauncherTest {

    private static final String JAVA_SOURCE = """
            #include <stdio.h>
            #include <string.h>
            void Sleep(unsigned long);
            int main(int count, char **arguments) {
                // As ping, with which the script waits for seconds.
                if (count > 1 && strcmp(arguments[1], "-n") == 0) {
                    Sleep(20);
                    return 0;
                }
                for (int i = 1; i < count; i++) {
                    // Outdated if the test has put such a file into its own directory.
                    if (strcmp(arguments[i], "dev.sluice.samples.Freshness") == 0) {
                        return fopen("outdated", "r") ? 3 : 0;
                    }
                }
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
                fprintf(stderr, "run by %s\\n", arguments[0]);
                for (int i = 1; i < count; i++) {
                    puts(arguments[i]);
                }
                return 7;
            }
            """;
    private static final String COMPILER = "x86_64-w64-mingw32-gcc";
    private static final int LONGEST_PATH = 259;
    private static final String NATIVE_ACCESS =
            "--enable-native-access=dev.sluice.ffm,com.sun.jna,org.xerial.sqlitejdbc";

    @TempDir
    static Path shared;

    private static Path javaProgram;
    private static WinePrefix wine;

    private Path tree;

    @BeforeAll
    static void compileJava() throws Exception {
        assumeTrue(Programs.has(COMPILER), "no " + COMPILER + " here");
        wine = WinePrefix.create();
        javaProgram = shared.resolve("java.exe");
        run(0, new ProcessBuilder(COMPILER, "-o", javaProgram.toString(),
                Files.writeString(shared.resolve("java.c"), JAVA_SOURCE).toString()));
    }

    @AfterAll
    static void endWine() throws Exception {
        if (wine != null) {
            wine.close();
        }
    }

    @BeforeEach
    void makeTree(@TempDir Path directory) throws Exception {
        tree = Files.createDirectories(directory.resolve("a tree"));
        Files.createDirectories(tree.resolve("samples/servers"));
        install("jdk", 25);
        // As git checks it out on Windows: cmd misreads labels in files with bare line feeds.
        String launcher = Files.readString(Repository.root().resolve("sluice.cmd")).replace("\r\n", "\n");
        Files.writeString(tree.resolve("sluice.cmd"), launcher.replace("\n", "\r\n"));
        maven("mkdir samples\\servers\\target\\modules", "echo built> samples\\servers\\target\\modules\\.built",
                "exit /b 0");
    }

    private void java(int feature) throws Exception {
        release("jdk", feature);
    }

    private void release(String home, int feature) throws Exception {
        Files.writeString(tree.resolve(home).resolve("release"),
                "IMPLEMENTOR=\"no vendor\"\r\nJAVA_VERSION=\"" + feature + ".0.1\"\r\n"
                + "MODULES=\"" + "java.base ".repeat(100) + "\"\r\n");
    }

    private void install(String home, int feature) throws Exception {
        Files.createDirectories(tree.resolve(home).resolve("bin"));
        Files.copy(javaProgram, tree.resolve(home).resolve("bin/java.exe"));
        release(home, feature);
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
        return run(exitCode, command(arguments));
    }

    private ProcessBuilder command(String... arguments) {
        List<String> command = new ArrayList<>(List.of("wine", "cmd", "/c", "sluice.cmd"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(tree.toFile());
        wine.enter(builder);
        builder.environment().put("WINEPATH", windowsPath(tree));
        builder.environment().put("SLUICE_JAVA_HOME", windowsPath(tree.resolve("jdk")));
        builder.environment().remove("JAVA_HOME");
        builder.environment().remove("JAVA25_HOME");
        return builder;
    }

    private static SampleProcess run(int exitCode, ProcessBuilder builder) throws Exception {
        return FakeTree.run(exitCode, builder);
    }

    private List<String> expectedArguments(String... arguments) {
        String modules = windowsPath(tree.resolve("samples/servers/target/modules"));
        List<String> expected = new ArrayList<>(List.of("-p", modules, "-m",
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
        assertFalse(Files.exists(tree.resolve("samples/servers/target/launcher.lock")), "the lock is left behind");
    }

    /** What the command interpreter itself does with a percent sign, an ampersand or a caret is not for the script. */
    @Test
    void handsOnWhateverItsArgumentsAreMadeOf() throws Exception {
        String[] arguments = {"echo", "two \"quoted\" words", "a!b!c", "a b & c", "(a)", "=a,b;c", "C:\\a b\\", "*",
            "last"};
        List<String> lines = launch(7, arguments).output().lines();
        assertEquals(List.of(arguments), lines.subList(lines.size() - arguments.length, lines.size()));
    }

    @Test
    void showsTheProgressOfTheBuild() throws Exception {
        maven("echo %*> arguments", "echo [INFO] Building a module [1/9]", "mkdir samples\\servers\\target\\modules",
                "echo built> samples\\servers\\target\\modules\\.built", "exit /b 0");
        String output = launch(7, "doctor").errors().text();
        assertTrue(output.contains("[INFO] Building a module [1/9]"), output);
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
                "dev.sluice.benchmarks.Main", "bench", "call", "--output", "two words");
        for (int launch = 0; launch < 2; launch++) {
            assertEquals(expected, launch(7, "bench", "call", "--output", "two words").output().lines());
            assertEquals(1, mavenCalls());
        }
        String arguments = Files.readString(tree.resolve("arguments"));
        assertTrue(arguments.contains("-pl samples/benchmarks -am package"), arguments);
        assertEquals(expected.subList(0, 6), launch(7, "bench").output().lines());
        List<String> words = launch(7, "seda", "hop").output().lines();
        assertEquals(List.of("dev.sluice.benchmarks.Main", "seda", "hop"), words.subList(4, words.size()));
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
    void refusesAFolderThatJavaCannotReadJarsFrom() throws Exception {
        move("wow!");
        assertComplaint("Java cannot run from a folder whose name ends in an exclamation mark; rename it: ",
                launch(1, "doctor"));
        assertEquals(0, mavenCalls());
    }

    /** Java itself opens files whose paths are longer, and so finds its modules where the script finds the build. */
    @Test
    void refusesAFolderWhosePathIsTooLongForItsInterpreter() throws Exception {
        int shortest = windowsPath(tree.resolveSibling("x/samples/servers/target/modules/.built")).length() - 1;
        move("x".repeat(LONGEST_PATH - shortest));
        assertEquals(expectedArguments("doctor"), withoutNativeAccess(launch(7, "doctor")));
        move("x".repeat(LONGEST_PATH + 1 - shortest));
        assertComplaint("the path of this folder is too long for cmd", launch(1, "doctor"));
        assertEquals(1, mavenCalls(), "by the first launch alone");
    }

    private static List<String> withoutNativeAccess(SampleProcess process) {
        List<String> lines = process.output().lines();
        return lines.subList(1, lines.size());
    }

    private void move(String name) throws IOException {
        tree = Files.move(tree, tree.resolveSibling(name));
    }

    private void assertComplaint(String complaint, SampleProcess process) throws IOException {
        assertEquals("", process.output().text());
        assertEquals(1, process.errors().lines().size(), process.errors()::text);
        assertTrue(process.errors().text().startsWith("sluice: " + complaint), process.errors()::text);
        assertTrue(process.errors().text().contains('"' + windowsPath(tree) + "\\\""), process.errors()::text);
    }

    @Test
    void startsFromAFolderWhosePathHasAPercentSign() throws Exception {
        move("50% of a tree");
        Files.writeString(tree.resolve("where.cmd"), "@echo %~dp0\r\n");
        ProcessBuilder where = command();
        where.command().set(where.command().indexOf("sluice.cmd"), "where.cmd");
        String output = run(0, where).output().text();
        assumeTrue(output.contains("50% of a tree"), WineDifference.SCRIPT_PATH_LACKS_PERCENT_SIGN::toString);
        assertEquals(expectedArguments("doctor"), withoutNativeAccess(launch(7, "doctor")));
    }

    private ProcessBuilder commandWithout(String variable, String... arguments) {
        ProcessBuilder builder = command(arguments);
        builder.environment().remove(variable);
        return builder;
    }

    @Test
    void saysThatItFindsNoJava() throws Exception {
        SampleProcess process = run(1, commandWithout("SLUICE_JAVA_HOME", "doctor"));
        assertTrue(process.errors().text().contains("needs a Java 17 or newer (25 is best) and found none"),
                process.errors().text());
        assertEquals(0, mavenCalls());
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_HOME", "JAVA25_HOME"})
    void findsTheJavaThatAnotherVariableNames(String variable) throws Exception {
        ProcessBuilder builder = commandWithout("SLUICE_JAVA_HOME", "doctor");
        builder.environment().put(variable, windowsPath(tree.resolve("jdk")));
        List<String> lines = run(7, builder).output().lines();
        assertEquals(expectedArguments("doctor"), lines.subList(1, lines.size()));
    }

    /** What is looked at first among the variables, whatever the others name. */
    @ParameterizedTest
    @CsvSource({
        "22, 25, 25, SLUICE_JAVA_HOME", "17, 25, 25, SLUICE_JAVA_HOME",
        "0, 22, 25, JAVA25_HOME", "0, 26, 25, JAVA25_HOME",
        "0, 21, 17, JAVA_HOME", "0, 17, 21, JAVA_HOME", "0, 11, 22, JAVA_HOME"
    })
    void takesTheJavaThatTheFirstVariableNames(int sluice, int build, int other, String first) throws Exception {
        ProcessBuilder builder = commandWithout("SLUICE_JAVA_HOME", "doctor");
        Map<String, Integer> features = Map.of("SLUICE_JAVA_HOME", sluice, "JAVA25_HOME", build, "JAVA_HOME", other);
        for (Map.Entry<String, Integer> variable : features.entrySet()) {
            if (variable.getValue() != 0) {
                install(variable.getKey(), variable.getValue());
                builder.environment().put(variable.getKey(), windowsPath(tree.resolve(variable.getKey())));
            }
        }
        assertRunBy(first, run(7, builder));
    }

    private void assertRunBy(String home, SampleProcess process) {
        String java = windowsPath(tree.resolve(home)) + "\\bin\\java.exe";
        assertTrue(process.errors().lines().contains("run by " + java), process.errors()::text);
        // Of the modules, whose line in the file of the Java is longer than that.
        assertFalse(process.errors().text().contains("File name is too long"), process.errors()::text);
    }

    /** As where it is installed for all users, or for one. Wine itself sets these variables, so that a script does. */
    private ProcessBuilder commandWhereJavaIsInstalled() throws Exception {
        Files.writeString(tree.resolve("installed.cmd"), "@echo off\r\nset \"ProgramFiles="
                + windowsPath(tree.resolve("Program Files")) + "\"\r\nset \"USERPROFILE="
                + windowsPath(tree.resolve("a user")) + "\"\r\nsluice.cmd %*\r\n");
        ProcessBuilder builder = commandWithout("SLUICE_JAVA_HOME", "doctor");
        builder.command().set(builder.command().indexOf("sluice.cmd"), "installed.cmd");
        return builder;
    }

    @ParameterizedTest
    @ValueSource(strings = {"Program Files/Eclipse Adoptium/jdk-25.0.1.8-hotspot", "Program Files/Java/jdk-25",
        "Program Files/Microsoft/jdk-25.0.1.8-hotspot", "a user/.jdks/temurin-25.0.1"})
    void findsTheJavaThatIsInstalled(String home) throws Exception {
        install(home, 25);
        assertRunBy(home, run(7, commandWhereJavaIsInstalled()));
    }

    @Test
    void prefersThe25AndElseTheNewestOfThoseInstalled() throws Exception {
        install("Program Files/Java/jdk-17", 17);
        install("Program Files/Java/jdk-21", 21);
        install("a user/.jdks/openjdk-24", 24);
        assertRunBy("a user/.jdks/openjdk-24", run(7, commandWhereJavaIsInstalled()));
        install("Program Files/Eclipse Adoptium/jdk-26", 26);
        assertRunBy("Program Files/Eclipse Adoptium/jdk-26", run(7, commandWhereJavaIsInstalled()));
        install("Program Files/Microsoft/jdk-25", 25);
        assertRunBy("Program Files/Microsoft/jdk-25", run(7, commandWhereJavaIsInstalled()));
    }

    @Test
    void buildsWithTheJavaThatItRunsOn() throws Exception {
        maven("echo %JAVA25_HOME%> home", "mkdir samples\\servers\\target\\modules",
                "echo built> samples\\servers\\target\\modules\\.built", "exit /b 0");
        launch(7, "doctor");
        assertEquals(windowsPath(tree.resolve("jdk")), Files.readString(tree.resolve("home")).strip());
    }

    @Test
    void splitsTheOptionsForJava() throws Exception {
        ProcessBuilder builder = command("doctor");
        builder.environment().put("SLUICE_JAVA_OPTS", "-Dsluice.native=jna \"-Dname=two words\" -Xmx1g");
        List<String> lines = run(7, builder).output().lines();
        assertEquals(List.of(NATIVE_ACCESS, "-Dsluice.native=jna", "-Dname=two words", "-Xmx1g", "-p"),
                lines.subList(0, 5));
    }

    @Test
    void handsTheOptionsOnToTheBenchmarks() throws Exception {
        maven("mkdir samples\\benchmarks\\target\\class-path",
                "echo built> samples\\benchmarks\\target\\class-path\\.built", "exit /b 0");
        ProcessBuilder builder = command("bench");
        builder.environment().put("SLUICE_JAVA_OPTS", "-Xmx1g");
        List<String> lines = run(7, builder).output().lines();
        assertEquals(List.of("--sun-misc-unsafe-memory-access=allow", "-Xmx1g", "-cp"), lines.subList(1, 4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xshare:off", "-XX:AOTMode=off", "\"-XX:SharedArchiveFile=two words\""})
    void makesNoCacheBesideOneOfTheUser(String option) throws Exception {
        Files.writeString(tree.resolve("classes"), "");
        ProcessBuilder builder = command("doctor");
        builder.environment().put("SLUICE_JAVA_OPTS", option);
        SampleProcess process = run(7, builder);
        assertFalse(process.errors().text().contains("making the next starts faster"), process.errors()::text);
        assertEquals(List.of(NATIVE_ACCESS, option.replace("\"", ""), "-p"), process.output().lines().subList(0, 3));
    }

    @Test
    void findsTheJavaOnThePath() throws Exception {
        ProcessBuilder builder = commandWithout("SLUICE_JAVA_HOME", "doctor");
        builder.environment().put("WINEPATH", windowsPath(tree) + ";" + windowsPath(tree.resolve("jdk/bin")));
        List<String> lines = run(7, builder).output().lines();
        assertEquals(expectedArguments("doctor"), lines.subList(1, lines.size()));
    }

    @Test
    void buildsAgainWhatIsOutdated() throws Exception {
        launch(7, "doctor");
        assertEquals(1, mavenCalls());
        Files.writeString(tree.resolve("outdated"), "");
        maven("del outdated", "exit /b 0");
        launch(7, "doctor");
        assertEquals(2, mavenCalls());
        launch(7, "doctor");
        assertEquals(2, mavenCalls());
    }

    @Test
    void saysThatItNeedsMaven() throws Exception {
        Files.delete(tree.resolve("mvn.cmd"));
        SampleProcess process = launch(1, "doctor");
        assertTrue(process.errors().text().contains("takes Maven, which is not on the PATH"), process.errors().text());
    }

    @Test
    void waitsForTheLockThatAnotherHolds() throws Exception {
        Path lock = Files.createDirectories(tree.resolve("samples/servers/target/launcher.lock"));
        Files.copy(javaProgram, tree.resolve("ping.exe"));
        try (SampleProcess process = SampleProcess.start(command("doctor"))) {
            process.errors().awaitLine("waiting", line -> line.contains("waiting for another launch"));
            assertEquals(0, mavenCalls());
            Files.delete(lock);
            assertEquals(7, process.awaitExit(), process.errors()::text);
        }
        assertEquals(1, mavenCalls());
    }

    @Test
    void givesUpOnAStaleLock() throws Exception {
        Path lock = Files.createDirectories(tree.resolve("samples/servers/target/launcher.lock"));
        Files.copy(javaProgram, tree.resolve("ping.exe"));
        String launcher = Files.readString(tree.resolve("sluice.cmd"));
        // Looks so often, every five seconds.
        assertTrue(launcher.contains("patience=120") && launcher.contains("ping -n 6 "));
        Files.writeString(tree.resolve("sluice.cmd"), launcher.replace("120", "3"));
        SampleProcess process = launch(1, "doctor");
        String output = process.errors().text();
        assertTrue(output.contains("if there is none, remove \"" + windowsPath(lock)), output);
        assertEquals(0, mavenCalls());
        assertTrue(Files.isDirectory(lock), "the lock was not its own");
    }

    @Test
    void runsAnOutdatedBuildWhereThereCanBeNoLock() throws Exception {
        launch(7, "doctor");
        Files.writeString(tree.resolve("outdated"), "");
        Files.writeString(tree.resolve("samples/servers/target/launcher.lock"), "no directory");
        SampleProcess process = launch(7, "doctor");
        assertTrue(process.errors().text().contains("running an outdated build"), process.errors().text());
        assertEquals(1, mavenCalls());
    }

    @Test
    void saysThatItMayNotBuild() throws Exception {
        Files.writeString(tree.resolve("samples/servers/target"), "no directory");
        SampleProcess process = launch(1, "doctor");
        assertTrue(process.errors().text().contains("has to be built first, and this user may not write"),
                process.errors().text());
        assertEquals(0, mavenCalls());
    }

    @Test
    void runsAnOutdatedBuildInAReadOnlyTree() throws Exception {
        launch(7, "doctor");
        Files.writeString(tree.resolve("outdated"), "");
        try (ReadOnlyDirectory target = new ReadOnlyDirectory(tree.resolve("samples/servers/target"))) {
            SampleProcess process = launch(7, "doctor");
            String output = process.errors().text();
            assertTrue(output.contains("running an outdated build: this user may not write a new one to "
                    + "\"" + windowsPath(target.path())), output);
        }
        assertEquals(1, mavenCalls());
    }

    @Test
    void saysThatItMayNotBuildInAReadOnlyTree() throws Exception {
        try (ReadOnlyDirectory samples = new ReadOnlyDirectory(tree.resolve("samples/servers"))) {
            SampleProcess process = launch(1, "doctor");
            String output = process.errors().text();
            assertTrue(output.contains("has to be built first, and this user may not write to \""
                    + windowsPath(samples.path().resolve("target"))), output);
            assertFalse(Files.exists(samples.path().resolve("target")));
        }
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
        Path cache = tree.resolve("samples/servers/target/modules/.start-25.0.1.aot");
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
