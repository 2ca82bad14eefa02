package dev.sluice.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class DescriptorLinksTest {

    private static final Path DIAGNOSIS = Path.of(System.getProperty("java.home"), "bin", "jcmd");

    @Test
    void whatAttachesToTheVirtualMachineIsNoLeak() throws Exception {
        assumeTrue(Files.isExecutable(DIAGNOSIS), "a Java without jcmd");
        DescriptorLinks before = DescriptorLinks.now();
        Process diagnosis = new ProcessBuilder(DIAGNOSIS.toString(), String.valueOf(ProcessHandle.current().pid()),
                "VM.version").redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            diagnosis.getOutputStream().close();
            assumeTrue(diagnosis.waitFor(60, TimeUnit.SECONDS) && diagnosis.exitValue() == 0, "it cannot attach");
        } finally {
            diagnosis.destroyForcibly();
        }
        diagnosis.getInputStream().close();
        diagnosis.getErrorStream().close();
        assertEquals("", DescriptorLinks.now().without(before));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tmp/ffiNWXGpA (deleted)", "/tmp/#1098669 (deleted)", "/memfd:libffi (deleted)"})
    void theFileOfLibffiIsNoneWhateverItIsCalled(String link) {
        assertTrue(DescriptorLinks.isOfTheJvm(link));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tmp/random.bin (deleted)", "/tmp/#1098669", "/memfd:sluice (deleted)"})
    void anotherFileIs(String link) {
        assertFalse(DescriptorLinks.isOfTheJvm(link));
    }

    @Test
    void anotherSocketWithAPathIs(@TempDir Path directory) throws IOException {
        DescriptorLinks before = DescriptorLinks.now();
        try (ServerSocketChannel leaked = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            leaked.bind(UnixDomainSocketAddress.of(directory.resolve("socket")));
            assertNotEquals("", DescriptorLinks.now().without(before));
        }
    }
}
