package dev.sluice.samples.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build finds to run beside Maven. */
class FindToolsTest {

    @TempDir
    static Path classes;

    @TempDir
    private Path directory;

    @BeforeAll
    static void compile() {
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-d",
                classes.toString(), Repository.root().resolve(".mvn/FindTools.java").toString()));
    }

    @Test
    void whatTheBuilderPointsAtCountsFirst() throws Exception {
        Path newest = jdk("newest", "99.0.1");
        Path old = jdk("old", "17.0.99");
        Properties found = found(Map.of("JAVA25_HOME", newest.toString(), "JAVA17_HOME", old.toString()));
        assertEquals(newest.toString(), found.getProperty("sluice.jdk"));
        assertEquals(old.toString(), found.getProperty("sluice.jdk17"));
        assertEquals(old.toString(), found.getProperty("sluice.jdk.oldest"));
    }

    @Test
    void unsuitableJdksAreSkipped() throws Exception {
        Path tooOld = jdk("too-old", "21.0.9");
        Path withoutCompiler = jdk("without-compiler", "99");
        Files.delete(withoutCompiler.resolve("bin/javac"));
        Path early = jdk("early", "99-ea");
        for (Path unfit : new Path[] {tooOld, withoutCompiler, early, directory.resolve("missing")}) {
            // That of this test's own JVM is there to be found, or another one.
            Properties found = found(Map.of("JAVA25_HOME", unfit.toString(), "JAVA17_HOME", unfit.toString()));
            assertNotEquals(unfit.toString(), found.getProperty("sluice.jdk"));
            assertNotEquals(unfit.toString(), found.getProperty("sluice.jdk17"));
            assertTrue(Files.exists(Path.of(found.getProperty("sluice.jdk"), "release")));
        }
    }

    @Test
    void javaForWindowsIsWhereItsSetUpMakesIt() throws Exception {
        Path cache = directory.resolve("cache");
        Path named = directory.resolve("named");
        for (Map<String, String> environment : List.of(Map.of("XDG_CACHE_HOME", cache.toString()),
                Map.of("XDG_CACHE_HOME", cache.toString(), "SLUICE_WINDOWS_JVMS", named.toString()))) {
            Path folder = environment.size() == 1 ? cache.resolve("sluice/windows-jvm") : named;
            executable(folder.resolve("17/java"));
            assertEquals("true", found(environment).getProperty("sluice.windows.isMissing"), "without 25");
            executable(folder.resolve("25/java"));
            Properties found = found(environment);
            assertEquals("false", found.getProperty("sluice.windows.isMissing"));
            assertEquals(folder.toString(), found.getProperty("sluice.windows.jvms"));
        }
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = directory.resolve(name);
        executable(home.resolve("bin/javac"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"no vendor\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private static void executable(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        assertTrue(file.toFile().setExecutable(true));
    }

    private Properties found(Map<String, String> environment) throws Exception {
        Path file = directory.resolve("found/tools.properties");
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes.toString(), "FindTools", file.toString());
        builder.environment().putAll(environment);
        try (SampleProcess process = SampleProcess.start(builder)) {
            assertEquals(0, process.awaitExit(), process.errors()::text);
        }
        Properties found = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            found.load(reader);
        }
        return found;
    }
}
