package dev.sluice.samples.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.JavaHome;
import dev.sluice.samples.PackagedSamples;
import dev.sluice.samples.Patience;
import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The samples as users start them, as modules. */
@EnabledOnOs(OS.LINUX)
@Tag(PackagedSamples.TAG)
class LaunchedSampleTest {

    private static final Path ROOT = Repository.root();
    private static final int FIRST_WITH_CACHE = 25;

    @TempDir
    private Path directory;

    @BeforeAll
    static void checkThatNothingHasToBeBuilt() throws Exception {
        PackagedSamples.check();
    }

    @BeforeEach
    void makeNoMaven() throws Exception {
        // Should a file be saved this very moment.
        FakeTree.script(directory.resolve("mvn"), "exit 1");
    }

    private SampleProcess launch(JavaHome java, String... arguments) throws IOException {
        return launch(ROOT.resolve("sluice"), java, arguments);
    }

    private SampleProcess launch(Path launcher, JavaHome java, String... arguments) throws IOException {
        String[] command = Stream.concat(Stream.of(launcher.toString()), Stream.of(arguments))
                .toArray(String[]::new);
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("SLUICE_JAVA_HOME", java.path().toString());
        builder.environment().remove("SLUICE_JAVA_OPTS");
        builder.environment().merge("PATH", directory.toString(), (path, first) -> first + File.pathSeparator + path);
        return SampleProcess.start(builder);
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.JavaHome#all")
    void startsAsModules(JavaHome java) throws Exception {
        for (String binding : java.bindings()) {
            try (SampleProcess echo = launch(java, "echo", "--port", "0", "--native", binding)) {
                InetSocketAddress address = echo.awaitAddress();
                try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
                    socket.getOutputStream().write("hello".getBytes(UTF_8));
                    assertEquals("hello", new String(socket.getInputStream().readNBytes(5), UTF_8));
                }
                echo.stop();
                assertTrue(echo.awaitReadyLine().contains(", " + binding + ", java " + java.feature() + ")"));
                assertEquals(1, echo.output().lines().size());
                assertEquals("", echo.errors().text());
            }
        }
    }

    @Test
    void handsTheExitCodeOn() throws Exception {
        try (SampleProcess nonsense = launch(JavaHome.own(), "nonsense")) {
            assertEquals(2, nonsense.awaitExit());
            assertEquals("", nonsense.output().text());
        }
    }

    /**
     * With a cache of a copy of the modules, since other tests start with the cache itself. What it shows is Java's:
     * {@code LauncherTest} checks that the launcher asks Java to verify the cache.
     */
    @Test
    @Tag(Depth.IN_MATRIX)
    void startsWithWhateverIsInTheCache() throws Exception {
        JavaHome java = JavaHome.own();
        assumeTrue(java.feature() >= FIRST_WITH_CACHE, "no cache before Java " + FIRST_WITH_CACHE);
        Path samples = Files.createDirectories(directory.resolve("tree/samples/servers"));
        Path modules = samples.resolve("target/modules");
        Files.createDirectories(modules);
        for (Path file : list(ROOT.resolve("samples/servers/target/modules"))) {
            Files.copy(file, modules.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Path launcher = Files.copy(ROOT.resolve("sluice"), directory.resolve("tree/sluice"));
        Path list = Files.createDirectories(directory.resolve("tree/.mvn")).resolve("modules.txt");
        Files.copy(ROOT.resolve(".mvn/modules.txt"), list);
        Path pom = Files.writeString(directory.resolve("tree/pom.xml"), "");
        Files.setLastModifiedTime(pom, FileTime.fromMillis(0));
        Path cache = list(modules).stream().filter(file -> file.toString().endsWith(".aot")).findFirst().orElseThrow();
        // It holds the names of the modules' files, and these are others.
        Files.delete(cache);
        assertEquals(0, launch(launcher, java, "--version").awaitExit());
        byte[] made = Files.readAllBytes(cache);
        for (String content : List.of("as it is", "garbage", "truncated", "another header", "other classes")) {
            Files.write(cache, damaged(made.clone(), content));
            try (SampleProcess version = launch(launcher, java, "--version")) {
                assertEquals(0, version.awaitExit(), () -> content + ": " + version.output().text());
                assertEquals(1, version.output().lines().size(), () -> content + ": " + version.output().text());
                assertEquals("", version.errors().text(), content);
            }
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static byte[] damaged(byte[] bytes, String content) {
        byte[] wrong = new byte[16];
        switch (content) {
            case "as it is" -> { }
            case "garbage" -> bytes = "garbage".getBytes(UTF_8);
            case "truncated" -> bytes = Arrays.copyOf(bytes, bytes.length / 2);
            case "another header" -> System.arraycopy(wrong, 0, bytes, 100, wrong.length);
            case "other classes" -> System.arraycopy(wrong, 0, bytes, bytes.length / 4, wrong.length);
            default -> throw new IllegalArgumentException(content);
        }
        return bytes;
    }
}
