package dev.sluice.samples.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.ModuleList;
import dev.sluice.samples.PackagedSamples;
import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What other projects get: artifacts that are the same wherever they are built. A separate project, made of what the
 * README shows, builds with them and runs.
 */
@EnabledOnOs(OS.LINUX)
@Tag(PackagedSamples.TAG)
@Tag("acceptance")
class InstalledArtifactsTest {

    /** As the README has them. */
    static final String INSTALL = "mvn install -DskipTests";
    static final String PACKAGE = "mvn package -DskipTests";

    private static final String CLASS_PATH_ACCESS = "--enable-native-access=ALL-UNNAMED";
    private static final String MODULE_PATH_ACCESS = "--enable-native-access=dev[\\w.,]+";

    @TempDir
    private static Path directory;

    private static SourceTree installed;
    private static SourceTree onTheClassPath;
    private static SourceTree onTheModulePath;
    private static SourceTree inOneJar;

    @BeforeAll
    static void buildForeignProjects() throws Exception {
        Path localRepository = directory.resolve("repository");
        installed = SourceTree.copyOfThis(directory.resolve("installed"), localRepository);
        LongProcess.run(installed.shell(INSTALL));
        onTheClassPath = new ForeignProject().withClassPathInTheManifest()
                .write(directory.resolve("class-path"), localRepository);
        onTheClassPath.write("src/test/java/foreign/OpenTest.java", """
                package foreign;

                import dev.sluice.reactor.Reactor;
                import org.junit.jupiter.api.Test;

                class OpenTest {
                    @Test
                    void opens() throws Exception {
                        Reactor.open().close();
                    }
                }
                """);
        onTheModulePath = new ForeignProject().write(directory.resolve("module-path"), localRepository);
        onTheModulePath.write("src/main/java/module-info.java",
                "module foreign {\n    " + ForeignProject.shown("requires [\\w.]+;") + "\n}\n");
        for (SourceTree project : List.of(onTheClassPath, onTheModulePath)) {
            String said = LongProcess.run(project.shell("mvn package dependency:copy-dependencies"));
            assertFalse(said.contains("called by dev.sluice"), said);
        }
        inOneJar = new ForeignProject().importingTheBom().withFatJar()
                .write(directory.resolve("fat-jar"), localRepository);
        LongProcess.run(inOneJar.shell("mvn package"));
    }

    @AfterAll
    static void removeLinks() throws IOException {
        for (SourceTree tree : new SourceTree[] {installed, onTheClassPath, onTheModulePath, inOneJar}) {
            if (tree != null) {
                tree.close();
            }
        }
    }

    @Test
    void twoBuildsGiveTheSameJars() throws Exception {
        try (SourceTree again = SourceTree.copyOfThis(directory.resolve("another place/again"),
                directory.resolve("another-repository"))) {
            // Archives keep whether others may read a file, but not whether the group may write it.
            ProcessBuilder build = again.shell("umask 002; " + PACKAGE);
            build.environment().put("TZ", "Pacific/Auckland");
            build.environment().put("LC_ALL", "C");
            LongProcess.run(build);
            Set<String> jars = installed.jars();
            for (String module : ModuleList.all(again.root())) {
                assertTrue(jars.stream().anyMatch(jar -> jar.startsWith(module + "/target/")),
                        () -> module + ": " + jars);
            }
            assertEquals(jars, again.jars());
            List<String> different = new ArrayList<>();
            for (String jar : jars) {
                if (Files.mismatch(installed.root().resolve(jar), again.root().resolve(jar)) >= 0) {
                    different.add(jar);
                }
            }
            assertEquals(List.of(), different);
        }
    }

    /** What the launcher leaves out is still there from a build that left out nothing. */
    @Test
    void theLauncherBuildsAnewWhereTheTestsWereBuilt() throws Exception {
        // The contents stay, so that the jars do, whichever test comes first.
        Files.setLastModifiedTime(installed.root().resolve("native/calls/src/main/java/module-info.java"),
                FileTime.from(Instant.now()));
        String said = LongProcess.run(installed.shell("./sluice doctor"));
        assertTrue(said.contains("sluice: building") && said.contains("BINDING"), said);
        assertFalse(said.contains("the build failed"), said);
    }

    static Stream<JavaHome> javaHomes() {
        return JavaHome.all().stream();
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void runsOnTheClassPath(JavaHome java) throws Exception {
        for (String program : List.of("FirstProgram", "FirstProactor")) {
            assertEchoes(java, onTheClassPath, ForeignProject.shown(CLASS_PATH_ACCESS), "-cp",
                    "target/classes" + File.pathSeparator + "target/dependency/*",
                    ForeignProject.PACKAGE + "." + program);
        }
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void runsOnTheModulePath(JavaHome java) throws Exception {
        for (String program : List.of("FirstProgram", "FirstProactor")) {
            assertEchoes(java, onTheModulePath, ForeignProject.shown(MODULE_PATH_ACCESS), "-p",
                    "target/classes" + File.pathSeparator + "target/dependency", "-m",
                    "foreign/" + ForeignProject.PACKAGE + "." + program);
        }
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void runsAsAnExecutableJar(JavaHome java) throws Exception {
        assertEchoes(java, onTheClassPath, "", "-jar", ForeignProject.JAR);
    }

    /** With the binding for either Java in one file, and with versions that come from the BOM. */
    @ParameterizedTest
    @MethodSource("javaHomes")
    void runsAsAFatJar(JavaHome java) throws Exception {
        assertTrue(Files.notExists(inOneJar.root().resolve("target/dependency")));
        assertEchoes(java, inOneJar, "", "-jar", ForeignProject.JAR);
    }

    /** Without a word but that of slf4j, which was given no backend, and on the better binding for this Java. */
    private static void assertEchoes(JavaHome java, SourceTree project, String access, String... main)
            throws Exception {
        InetSocketAddress address = FreePort.address();
        List<String> command = new ArrayList<>(List.of(java.executable(), "-Dport=" + address.getPort()));
        // The README: Java 17 needs no such option.
        if (java.hasForeignFunctions() && !access.isEmpty()) {
            command.add(access);
        }
        command.addAll(List.of(main));
        ProcessBuilder builder = new ProcessBuilder(command).directory(project.root().toFile());
        try (SampleProcess running = SampleProcess.start(builder)) {
            Patience.until(() -> "it echoes: " + running.errors().text(), () -> echoes(running, address));
            boolean jna = Files.readString(Path.of("/proc", Long.toString(running.pid()), "maps")).contains("/jna");
            assertEquals(!java.hasForeignFunctions(), jna);
            running.terminate();
            running.awaitExit();
            assertEquals(List.of(),
                    running.errors().lines().stream().filter(line -> !line.startsWith("SLF4J")).toList());
        }
    }

    static boolean echoes(SampleProcess running, InetSocketAddress address) throws IOException {
        assertTrue(running.isAlive(), () -> running.errors().text());
        try (Socket socket = new Socket()) {
            socket.connect(address);
            socket.setSoTimeout((int) Patience.LIMIT.toMillis());
            socket.getOutputStream().write("hello".getBytes(UTF_8));
            assertArrayEquals("hello".getBytes(UTF_8), socket.getInputStream().readNBytes(5));
            return true;
        } catch (ConnectException e) {
            return false;
        }
    }
}
