package dev.sluice.samples.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.JavaHome;
import dev.sluice.samples.PackagedSamples;
import dev.sluice.samples.Patience;
import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.stream.Stream;
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

    @TempDir
    private Path directory;

    @BeforeEach
    void checkThatNothingHasToBeBuilt() throws Exception {
        PackagedSamples.check();
        // Should a file be saved this very moment.
        FakeTree.script(directory.resolve("mvn"), "exit 1");
    }

    private SampleProcess launch(JavaHome java, String... arguments) throws IOException {
        String[] command = Stream.concat(Stream.of(ROOT.resolve("sluice").toString()), Stream.of(arguments))
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
        try (SampleProcess nonsense = launch(JavaHome.own(), "nonsense");
                SampleProcess doctor = launch(JavaHome.own(), "doctor")) {
            assertEquals(2, nonsense.awaitExit());
            assertEquals("", nonsense.output().text());
            assertEquals(0, doctor.awaitExit());
            assertEquals("", doctor.errors().text());
        }
    }
}
