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
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build finds to run beside Maven. */
class FindToolsTest {

    @TempDir
    private Path directory;

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
    void whatDoesNotFitIsPassedOver() throws Exception {
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
    void wineCountsWithAllThatItsTestsNeed() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("bin"));
        Map<String, String> path = Map.of("PATH", programs.toString());
        assertEquals("true", found(path).getProperty("sluice.wine.isMissing"));
        for (String program : new String[] {"wine64", "wineserver", "x86_64-w64-mingw32-gcc"}) {
            assertEquals("true", found(path).getProperty("sluice.wine.isMissing"), "without " + program);
            executable(programs.resolve(program));
        }
        assertEquals("false", found(path).getProperty("sluice.wine.isMissing"));
    }

    @Test
    void saysWhetherOtherProcessorsAreTested() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("bin"));
        Map<String, String> path = Map.of("PATH", programs.toString());
        assertTrue(said(path).contains("no qemu-aarch64 and no qemu-s390x was found, so"));
        executable(programs.resolve("qemu-aarch64"));
        assertTrue(said(path).contains("no qemu-s390x was found, so"));
        executable(programs.resolve("qemu-s390x"));
        assertTrue(said(path).contains("tested in short on arm64 and s390x"));
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = directory.resolve(name);
        executable(home.resolve("bin/javac"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private static void executable(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        assertTrue(file.toFile().setExecutable(true));
    }

    private Properties found(Map<String, String> environment) throws Exception {
        said(environment);
        Properties found = new Properties();
        try (Reader reader = Files.newBufferedReader(file())) {
            found.load(reader);
        }
        return found;
    }

    private Path file() {
        return directory.resolve("found/tools.properties");
    }

    private String said(Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1", Repository.root().resolve(".mvn/FindTools.java").toString(),
                file().toString());
        builder.environment().putAll(environment);
        try (SampleProcess process = SampleProcess.start(builder)) {
            assertEquals(0, process.awaitExit(), process.errors()::text);
            return process.output().text();
        }
    }
}
