package dev.sluice.samples.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script that builds what is out of date and then becomes the sample. */
@EnabledOnOs(OS.LINUX)
class LauncherTest {

    private static final String NATIVE_ACCESS =
            "--enable-native-access=dev.sluice.ffm,com.sun.jna,org.xerial.sqlitejdbc";

    private static final String MAKING_A_CACHE =
            "sluice: making the next starts faster, once, which takes some seconds";

    private FakeTree tree;

    @BeforeEach
    void makeTree(@TempDir Path directory) throws Exception {
        tree = new FakeTree(directory);
    }

    @AfterEach
    void removeTree() throws Exception {
        Files.deleteIfExists(tree.launcher().getParent().getParent().resolve("other"));
        tree.close();
    }

    private List<String> expectedArguments(String... arguments) {
        List<String> expected = new ArrayList<>(List.of("-p", tree.stamp().getParent().toString(), "-m",
                "dev.sluice.samples/dev.sluice.samples.Main"));
        expected.addAll(List.of(arguments));
        return expected;
    }

    @Test
    void handsItsArgumentsOn() throws Exception {
        tree.built();
        String[] arguments = {"echo", "--host", "two words", "", "*", "$HOME"};
        List<String> expected = expectedArguments(arguments);
        expected.add(0, NATIVE_ACCESS);
        SampleProcess process = FakeTree.run(0, tree.command(arguments));
        assertEquals(expected, process.output().lines());
        assertEquals("", process.errors().text());
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 21})
    void asksForNoNativeAccessWhereJavaDoesNotKnowIt(int feature) throws Exception {
        tree.built();
        tree.java(feature);
        assertEquals(expectedArguments("doctor"), FakeTree.run(0, tree.command("doctor")).output().lines());
    }

    @Test
    void splitsTheOptionsForJava() throws Exception {
        tree.built();
        ProcessBuilder command = tree.command("doctor");
        command.environment().put("SLUICE_JAVA_OPTS", "-Dsluice.native=jna -Xmx1g");
        List<String> lines = FakeTree.run(0, command).output().lines();
        assertEquals(List.of(NATIVE_ACCESS, "-Dsluice.native=jna", "-Xmx1g", "-p"), lines.subList(0, 4));
    }

    @Test
    void addsFurtherModules() throws Exception {
        tree.built();
        ProcessBuilder command = tree.command("doctor");
        command.environment().put("SLUICE_MODULES", "/some where:/else");
        List<String> lines = FakeTree.run(0, command).output().lines();
        assertEquals(List.of(NATIVE_ACCESS, "-p", tree.stamp().getParent() + ":/some where:/else"),
                lines.subList(0, 3));
    }

    @Test
    void findsItsTreeThroughLinks() throws Exception {
        tree.built();
        Path link = Files.createSymbolicLink(tree.path("link"), Path.of("sluice"));
        Path linkToLink = Files.createSymbolicLink(tree.launcher().getParent().getParent().resolve("other"), link);
        List<String> lines = FakeTree.run(0, tree.command(linkToLink, "doctor")).output().lines();
        assertTrue(lines.contains(tree.stamp().getParent().toString()), lines::toString);
    }

    @Test
    void refusesAJavaThatIsTooOldOrNotThere() throws Exception {
        tree.built();
        tree.java(11);
        assertComplaint("SLUICE_JAVA_HOME is not a Java 17 or newer", tree.command("doctor"));
        ProcessBuilder command = tree.command("doctor");
        command.environment().put("SLUICE_JAVA_HOME", "/nowhere");
        assertComplaint("SLUICE_JAVA_HOME is not a Java 17 or newer: /nowhere", command);
    }

    @Test
    void refusesAFolderThatJavaCannotReadJarsFrom(@TempDir Path directory) throws Exception {
        try (FakeTree unreadable = new FakeTree(Files.createDirectory(directory.resolve("wow!")))) {
            unreadable.built();
            assertComplaint("a folder whose name ends in an exclamation mark; rename it: "
                    + unreadable.launcher().getParent(), unreadable.command("doctor"));
        }
    }

    private static void assertComplaint(String complaint, ProcessBuilder command) throws Exception {
        SampleProcess process = FakeTree.run(1, command);
        assertEquals("", process.output().text());
        assertEquals(1, process.errors().lines().size(), process.errors()::text);
        assertTrue(process.errors().text().contains(complaint), process.errors()::text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pom.xml", "samples/servers/pom.xml", "native/pom.xml", "native/ffm/src/main/java/A.java",
        "java-api/core/src/main/java", "java-api/stages/src/main/java/A.java", "demultiplexers/pom.xml"})
    void buildsWhatHasChanged(String changed) throws Exception {
        tree.built();
        tree.changed(changed);
        tree.maven("echo noise; echo noise >&2; "
                + "[ \"$*\" = '-B -DskipTests -Dmaven.test.skip=true -pl samples/servers -am package' ] && "
                + tree.build());
        SampleProcess process = FakeTree.run(0, tree.command("doctor"));
        assertEquals(1, tree.mavenCalls());
        assertEquals(NATIVE_ACCESS, process.output().lines().get(0));
        assertFalse(process.errors().text().contains("noise"), process.errors()::text);
        assertFalse(Files.exists(tree.path("samples/servers/target/launcher.lock")));
    }

    @Test
    void showsTheProgressOfTheBuild() throws Exception {
        tree.maven("echo '[INFO] Building Sluice core 0.1.0-SNAPSHOT    [7/9]'; echo '[INFO] Building jar: a.jar'; "
                + tree.build());
        List<String> output = FakeTree.run(0, tree.command("doctor")).errors().lines();
        assertEquals(List.of("sluice: building, once, which takes a minute or two the first time",
                "sluice: building Sluice core (7/9)"), output.subList(0, 2));
        assertTrue(output.get(2).matches("sluice: built, in [0-9]+ s"), output::toString);
        assertEquals(List.of(MAKING_A_CACHE), output.subList(3, output.size()));
    }

    @Test
    void buildsNothingForTestsAndProducts() throws Exception {
        tree.built();
        tree.write("samples/servers/target/classes/A.class", "");
        for (String changed : List.of("samples/servers/src/test/java/ATest.java", "samples/servers/src/test/java",
                "samples/servers/target", "samples/servers/target/classes/A.class", "sluice")) {
            tree.changed(changed);
        }
        tree.maven(tree.build());
        FakeTree.run(0, tree.command("doctor"));
        assertEquals(0, tree.mavenCalls());
    }

    @Test
    void showsWhyABuildFailed() throws Exception {
        assertFailure("the reason", "echo the reason; exit 1");
        assertFailure("[ERROR] the reason", "echo '[INFO] noise'; echo '[ERROR] the reason'; exit 1");
        assertFailure("sluice: Sluice builds with a JDK 22 or newer", "echo '[INFO] noise'; "
                + "echo 'Sluice builds with a JDK 22 or newer' >&2; echo '[ERROR] a plugin has failed'; exit 1");
    }

    private void assertFailure(String reason, String commands) throws Exception {
        tree.maven(commands);
        SampleProcess process = FakeTree.run(1, tree.command("doctor"));
        List<String> output = process.errors().lines();
        assertEquals(reason, String.join("\n", output.subList(1, output.size() - 1)));
        assertEquals("sluice: the build failed", output.get(output.size() - 1));
        assertEquals("", process.output().text());
        assertFalse(Files.exists(tree.path("samples/servers/target/launcher.lock")));
    }

    @Test
    void saysThatItNeedsMaven() throws Exception {
        assertComplaint("takes Maven (mvn)", tree.command("doctor"));
    }

    @Test
    void launchesAtTheSameTimeBuildOnce() throws Exception {
        Path proceed = tree.path("go-on");
        tree.maven("until [ -e '" + proceed + "' ]; do sleep 0.1; done; " + tree.build());
        try (SampleProcess first = SampleProcess.start(tree.command("doctor"));
                SampleProcess second = SampleProcess.start(tree.command("doctor"))) {
            Patience.until("one builds", () -> tree.mavenCalls() == 1);
            Patience.until("the other says that it waits", () ->
                    (first.errors().text() + second.errors().text()).contains("sluice: waiting for another launch"));
            Files.createFile(proceed);
            assertEquals(0, first.awaitExit(), first.errors()::text);
            assertEquals(0, second.awaitExit(), second.errors()::text);
            assertEquals(NATIVE_ACCESS, first.output().lines().get(0));
            assertEquals(first.output().text(), second.output().text());
            assertEquals(1, tree.mavenCalls());
        }
    }

    @Test
    void runsAnOutdatedBuildWhereItMayNotWrite() throws Exception {
        tree.built();
        tree.changed("pom.xml");
        tree.maven(tree.build());
        ProcessBuilder command = tree.commandOfAStranger("doctor");
        SampleProcess process = FakeTree.run(0, command);
        assertEquals(NATIVE_ACCESS, process.output().lines().get(0));
        assertEquals(List.of("sluice: running an outdated build: this user may not write a new one to "
                + tree.path("samples/servers/target")), process.errors().lines());
        assertEquals(0, tree.mavenCalls());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void saysThatItMayNotBuild(boolean target) throws Exception {
        if (target) {
            tree.write("samples/servers/target/other", "");
        }
        tree.maven(tree.build());
        assertComplaint("has to be built first, and this user may not write to " + tree.path("samples/servers/target"),
                tree.commandOfAStranger("doctor"));
        assertEquals(0, tree.mavenCalls());
    }

    @Test
    void saysWhyThereCanBeNoLock() throws Exception {
        // A file in its place stands for a full disk, and whatever else keeps a directory from being made.
        tree.write("samples/servers/target/launcher.lock", "");
        tree.maven(tree.build());
        assertComplaint("cannot build: mkdir: ", tree.command("doctor"));
    }

    @Test
    void reportsStaleLockOfAnotherUser() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.onExit().join();
        tree.write("samples/servers/target/launcher.lock/pid", dead.pid() + "\n");
        tree.maven(tree.build());
        ProcessBuilder command = tree.commandOfAStranger("doctor");
        FakeTree.permit(tree.path("samples/servers/target"), "rwxrwxrwx");
        FakeTree.permit(tree.path("samples/servers/target/launcher.lock"), "r-xr-xr-x");
        assertComplaint("a build that was broken off has left " + tree.path("samples/servers/target/launcher.lock"),
                command);
    }

    @Test
    void startsTheBenchmarksOnTheirClassPath() throws Exception {
        tree.benchmarksBuilt();
        List<String> expected = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", "-Dsluice.launcher=" + tree.launcher(), "-Xmx1g", "-cp",
                tree.benchmarksStamp().getParent() + "/*", "dev.sluice.benchmarks.Main", "bench", "call", "--output",
                "two words"));
        ProcessBuilder command = tree.command("bench", "call", "--output", "two words");
        command.environment().put("SLUICE_JAVA_OPTS", "-Xmx1g");
        SampleProcess process = FakeTree.run(0, command);
        assertEquals(expected, process.output().lines());
        assertEquals("", process.errors().text());
        ProcessBuilder experiment = tree.command("seda", "hop");
        List<String> words = FakeTree.run(0, experiment).output().lines();
        assertEquals(List.of("dev.sluice.benchmarks.Main", "seda", "hop"),
                words.subList(words.size() - 3, words.size()));
        tree.java(23);
        expected.remove(1);
        assertEquals(expected, FakeTree.run(0, command).output().lines());
    }

    @Test
    void needsANewerJavaForTheBenchmarks() throws Exception {
        tree.java(21);
        tree.maven(tree.buildBenchmarks());
        assertComplaint("bench needs a Java 22 or newer, and this is 21", tree.command("bench", "--list"));
        assertComplaint("seda needs a Java 22 or newer, and this is 21", tree.command("seda", "hop"));
        assertEquals(0, tree.mavenCalls());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pom.xml", "samples/servers/src/main/java/A.java", "samples/benchmarks/pom.xml",
        "samples/benchmarks/src/main/java/A.java"})
    void buildsTheBenchmarksWhenTheyAreAskedFor(String changed) throws Exception {
        tree.benchmarksBuilt();
        tree.changed(changed);
        tree.maven("[ \"$*\" = '-B -DskipTests -Dmaven.test.skip=true -pl samples/benchmarks -am package' ] && "
                + tree.buildBenchmarks());
        FakeTree.run(0, tree.command("bench", "--list"));
        assertEquals(1, tree.mavenCalls());
        assertFalse(Files.exists(tree.path("samples/servers/target/launcher.lock")));
    }

    @Test
    void buildsNothingForTheBenchmarksOtherwise() throws Exception {
        tree.built();
        tree.changed("samples/benchmarks/src/main/java/A.java");
        tree.changed("samples/benchmarks/pom.xml");
        tree.maven(tree.build());
        FakeTree.run(0, tree.command("doctor"));
        assertEquals(0, tree.mavenCalls());
    }

    @Test
    void buildsWithTheJavaThatItRunsOn() throws Exception {
        tree.maven("echo \"$JAVA25_HOME $JAVA_HOME\" >'" + tree.path("told") + "'\n" + tree.build());
        FakeTree.run(0, tree.command("doctor"));
        assertEquals(tree.javaHome() + " " + tree.javaHome(), Files.readString(tree.path("told")).strip());
    }

    @Test
    void runsOnTheJavaThatItBuildsWith() throws Exception {
        tree.built();
        ProcessBuilder command = tree.command("doctor");
        command.environment().remove("SLUICE_JAVA_HOME");
        command.environment().put("JAVA25_HOME", tree.javaHome().toString());
        assertEquals(NATIVE_ACCESS, FakeTree.run(0, command).output().lines().get(0));
        tree.java(22);
        assertEquals(NATIVE_ACCESS, FakeTree.run(0, command).output().lines().get(0), "however new the others are");
    }

    @Test
    void doesNotBuildWithAJavaThatIsTooOldForIt() throws Exception {
        tree.java(17);
        tree.maven("echo \"$JAVA25_HOME\" >'" + tree.path("told") + "'\n" + tree.build());
        FakeTree.run(0, tree.command("doctor"));
        assertEquals("", Files.readString(tree.path("told")).strip());
    }

    @Test
    void takesOverTheLockOfTheDead() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.onExit().join();
        tree.write("samples/servers/target/launcher.lock/pid", dead.pid() + "\n");
        tree.maven(tree.build());
        FakeTree.run(0, tree.command("doctor"));
        assertEquals(1, tree.mavenCalls());
    }

    private void assertStartsWithCache() throws Exception {
        List<String> lines = FakeTree.run(0, tree.command("doctor")).output().lines();
        assertEquals(List.of(NATIVE_ACCESS, "-XX:AOTCache=" + tree.cache(), "-XX:+VerifySharedSpaces"),
                lines.subList(0, 3));
        assertEquals(expectedArguments("doctor"), lines.subList(lines.size() - 5, lines.size()));
    }

    private void assertStartsWithoutCache(ProcessBuilder command) throws Exception {
        List<String> expected = expectedArguments("doctor");
        expected.add(0, NATIVE_ACCESS);
        SampleProcess process = FakeTree.run(0, command);
        assertEquals(expected, process.output().lines());
    }

    private void builtWithoutCache() throws Exception {
        tree.built();
        Files.delete(tree.cache());
    }

    @Test
    void makesACacheOnceAndUsesIt() throws Exception {
        builtWithoutCache();
        tree.javaWithCache(25, "echo noise; echo noise >&2; echo classes >\"$cache\"");
        SampleProcess first = FakeTree.run(0, tree.command("doctor"));
        assertEquals(List.of(MAKING_A_CACHE), first.errors().lines());
        assertFalse(first.output().text().contains("noise"), first.output()::text);
        assertEquals("classes\n", Files.readString(tree.cache()));
        assertFalse(Files.exists(tree.path("samples/servers/target/launcher.lock")));
        assertStartsWithCache();
        assertEquals("", FakeTree.run(0, tree.command("doctor")).errors().text());
        assertEquals(1, tree.rehearsals());
    }

    @Test
    void makesANewCacheAfterABuild() throws Exception {
        builtWithoutCache();
        tree.javaWithCache(25, "echo classes >\"$cache\"");
        assertStartsWithCache();
        tree.changed("pom.xml");
        tree.maven(tree.build());
        assertStartsWithCache();
        assertEquals(1, tree.mavenCalls());
        assertEquals(2, tree.rehearsals());
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit 1", "echo half >\"$cache\"; exit 1", ":"})
    void startsWithoutTheCacheThatJavaCannotMake(String commands) throws Exception {
        builtWithoutCache();
        tree.javaWithCache(25, commands);
        assertStartsWithoutCache(tree.command("doctor"));
        assertStartsWithoutCache(tree.command("doctor"));
        assertEquals(1, tree.rehearsals(), "it does not try again before the next build");
        assertFalse(Files.exists(tree.path("samples/servers/target/launcher.lock")));
    }

    @Test
    void makesNoCacheWhereItMayNotWrite() throws Exception {
        builtWithoutCache();
        tree.javaWithCache(25, "echo classes >\"$cache\"");
        ProcessBuilder command = tree.commandOfAStranger("doctor");
        FakeTree.permit(tree.stamp().getParent(), "r-xr-xr-x");
        assertStartsWithoutCache(command);
        assertEquals("", FakeTree.run(0, command).errors().text());
        assertEquals(0, tree.rehearsals());
        FakeTree.permit(tree.stamp().getParent(), "rwxr-xr-x");
    }

    @Test
    void makesNoCacheWhereThereCanBeNoLock() throws Exception {
        builtWithoutCache();
        tree.javaWithCache(25, "echo classes >\"$cache\"");
        tree.write("samples/servers/target/launcher.lock", "");
        assertStartsWithoutCache(tree.command("doctor"));
        assertEquals(0, tree.rehearsals());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:AOTCache=mine", "-Xshare:off", "-XX:SharedArchiveFile=mine"})
    void leavesTheUsersOwnCacheAlone(String option) throws Exception {
        builtWithoutCache();
        tree.javaWithCache(25, "echo classes >\"$cache\"");
        ProcessBuilder command = tree.command("doctor");
        command.environment().put("SLUICE_JAVA_OPTS", option);
        assertEquals(List.of(NATIVE_ACCESS, option, "-p"), FakeTree.run(0, command).output().lines().subList(0, 3));
        assertEquals(0, tree.rehearsals());
    }

    @Test
    void startsWithoutTheCacheThatAnotherMakes() throws Exception {
        builtWithoutCache();
        Path proceed = tree.path("go-on");
        tree.javaWithCache(25, "until [ -e '" + proceed + "' ]; do sleep 0.1; done; echo classes >\"$cache\"");
        try (SampleProcess first = SampleProcess.start(tree.command("doctor"))) {
            Patience.until("the first makes it", () -> tree.rehearsals() == 1);
            assertStartsWithoutCache(tree.command("doctor"));
            Files.createFile(proceed);
            assertEquals(0, first.awaitExit(), first.errors()::text);
        }
        assertStartsWithCache();
        assertEquals(1, tree.rehearsals());
    }

    @Test
    void leavesNothingBehindWhenStoppedWhileItMakesACache() throws Exception {
        builtWithoutCache();
        Path proceed = tree.path("go-on");
        String commands = "echo half >\"$cache\"; until [ -e '" + proceed + "' ]; do sleep 0.1; done";
        tree.javaWithCache(25, commands);
        try (SampleProcess process = SampleProcess.start(tree.command("doctor"))) {
            Patience.until("it is at it", () -> Files.exists(tree.path("samples/servers/target/launcher.lock/cache")));
            process.terminate();
            Files.createFile(proceed);
            assertEquals(130, process.awaitExit());
            assertEquals("", process.output().text());
        }
        assertFalse(Files.exists(tree.cache()));
        assertFalse(Files.exists(tree.path("samples/servers/target/launcher.lock")));
        assertStartsWithCache();
    }

    @Test
    void makesTheCacheThatTheDeadDidNotFinish() throws Exception {
        builtWithoutCache();
        Process dead = new ProcessBuilder("true").start();
        dead.onExit().join();
        tree.write("samples/servers/target/launcher.lock/pid", dead.pid() + "\n");
        tree.javaWithCache(25, "echo classes >\"$cache\"");
        assertStartsWithCache();
    }
}
