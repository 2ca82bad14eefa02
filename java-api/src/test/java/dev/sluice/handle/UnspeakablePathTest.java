package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SockaddrUn;
import dev.sluice.calls.layout.SocketConstants;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A peer whose path no {@code java.nio.file.Path} can have: in the locale "C" of Linux, any that is not ASCII. */
@EnabledOnOs(OS.LINUX)
@Tag("one-binding")
class UnspeakablePathTest {

    @TempDir
    Path directory;

    @Test
    void isNoReasonToRefuseIt() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Xmx64m", "-cp", System.getProperty("java.class.path")));
        String binding = System.getProperty("sluice.native");
        if (binding != null) {
            command.add("-Dsluice.native=" + binding);
        }
        command.addAll(List.of(Server.class.getName(), directory.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    /** What is run in that locale; ends with a stack trace unless all is well. */
    static final class Server {

        private Server() {
        }

        public static void main(String[] arguments) throws Exception {
            Path path = Path.of(arguments[0], "server");
            Posix posix = Bindings.current().posix();
            try (SocketAcceptor acceptor = SocketAcceptor.open(UnixDomainSocketAddress.of(path))) {
                int client = posix.socket(SocketConstants.AF_UNIX, SocketConstants.SOCK_STREAM, 0);
                assertEquals(0, call(arguments[0] + "/\u00e9", (address, size) -> posix.bind(client, address, size)));
                assertEquals(0, call(path.toString(), (address, size) -> posix.connect(client, address, size)));
                try (SocketStream accepted = acceptor.accept()) {
                    assertNotNull(accepted);
                    assertEquals("unix (unknown peer)", accepted.handle().subject());
                    assertThrows(SocketException.class, accepted::remoteAddress);
                    assertEquals(1, accepted.send(ByteBuffer.allocate(1)));
                } finally {
                    posix.close(client);
                }
                assertNull(acceptor.accept());
            }
        }

        private interface AddressCall {
            int with(long address, int size);
        }

        private static int call(String path, AddressCall call) {
            Binding binding = Bindings.current();
            byte[] octets = path.getBytes(StandardCharsets.UTF_8);
            try (MemoryBlock block = binding.memory().allocate(SockaddrStorage.SIZE)) {
                SockaddrStorage.family(block.buffer(), 0, SocketConstants.AF_UNIX);
                block.buffer().put(SockaddrUn.PATH, octets);
                return call.with(block.address(), SockaddrUn.PATH + octets.length);
            }
        }
    }
}
