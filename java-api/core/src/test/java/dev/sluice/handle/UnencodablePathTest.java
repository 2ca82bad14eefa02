package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SockaddrUn;
import dev.sluice.calls.layout.SocketConstants;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Names that a {@code java.nio.file.Path} cannot represent: in the locale "C" of Linux all that are not ASCII, in
 * others those that are not UTF-8.
 */
@EnabledOnOs(OS.LINUX)
class UnencodablePathTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"C", "C.UTF-8"})
    void areUsedAsTheyAre(String locale) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Xmx64m", "-cp", System.getProperty("java.class.path")));
        String binding = System.getProperty("sluice.native");
        if (binding != null) {
            command.add("-Dsluice.native=" + binding);
        }
        command.addAll(List.of(Program.class.getName(), directory.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("LC_ALL", locale);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    /** The program run in that locale, and in the directory; it ends with a stack trace if a check fails. */
    static final class Program {

        private static final Binding BINDING = Bindings.current();
        private static final Posix POSIX = BINDING.posix();
        /** Two names whose text is the same in the locale "C", and one that is not UTF-8. */
        private static final byte[][] NAMES = {{(byte) 0xc3, (byte) 0xa9}, {(byte) 0xc3, (byte) 0xbc}, {(byte) 0xff}};

        private Program() {
        }

        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            for (byte[] name : NAMES) {
                create(name);
            }
            List<Path> files;
            try (Stream<Path> listed = Files.list(directory)) {
                files = listed.toList();
            }
            assertEquals(NAMES.length, files.size());
            for (Path file : files) {
                assertRead(Files.readAllBytes(file), file);
                assertRead(Files.readAllBytes(file), directory.relativize(file));
                Files.delete(file);
            }
            for (Path file : files) {
                listenAt(file);
                listenAt(directory.relativize(file));
            }
            serve(directory.resolve("server"));
        }

        private static int withBytes(byte[] bytes, LongToIntFunction call) {
            try (MemoryBlock block = BINDING.memory().allocate(bytes.length + 1)) {
                block.buffer().put(0, bytes);
                return call.applyAsInt(block.address());
            }
        }

        /** Creates a file whose content is its name. */
        private static void create(byte[] name) {
            int file = withBytes(name, at -> POSIX.open(at, FileConstants.O_WRONLY | FileConstants.O_CREAT, 0600));
            assertTrue(file >= 0, () -> "open: " + file);
            assertEquals(name.length, withBytes(name, at -> (int) POSIX.write(file, at, name.length)));
            POSIX.close(file);
        }

        private static void assertRead(byte[] content, Path path) throws IOException {
            ByteBuffer destination = ByteBuffer.allocate(10);
            try (FileHandle file = FileHandle.open(path)) {
                assertEquals(content.length, file.read(destination, 0));
            }
            assertArrayEquals(content, Bytes.before(destination));
        }

        private static void listenAt(Path path) throws IOException {
            UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
            try (SocketAcceptor acceptor = SocketAcceptor.open(address);
                    SocketStream client = SocketConnector.connect(address, Duration.ofSeconds(30))) {
                assertTrue(Files.exists(path));
                assertEquals(address, acceptor.localAddress());
                assertEquals(address, client.remoteAddress());
            }
            Files.delete(path);
        }

        /** Accepts a client whose path has such a name. */
        private static void serve(Path path) throws IOException {
            try (SocketAcceptor acceptor = SocketAcceptor.open(UnixDomainSocketAddress.of(path))) {
                int client = POSIX.socket(SocketConstants.AF_UNIX, SocketConstants.SOCK_STREAM, 0);
                byte[] own = NAMES[0];
                byte[] server = path.toString().getBytes(StandardCharsets.UTF_8);
                assertEquals(0, withAddress(own, at -> POSIX.bind(client, at, SockaddrUn.PATH + own.length)));
                assertEquals(0, withAddress(server, at -> POSIX.connect(client, at, SockaddrUn.PATH + server.length)));
                try (SocketStream accepted = acceptor.accept()) {
                    assertNotNull(accepted);
                    UnixDomainSocketAddress peer = (UnixDomainSocketAddress) accepted.remoteAddress();
                    assertTrue(Files.isSameFile(peer.getPath(), peer.getPath().toAbsolutePath()));
                    assertEquals("unix " + peer, accepted.descriptor.subject());
                    assertEquals(1, accepted.send(ByteBuffer.allocate(1)));
                } finally {
                    POSIX.close(client);
                }
                assertNull(acceptor.accept());
            }
        }

        private static int withAddress(byte[] path, LongToIntFunction call) {
            try (MemoryBlock block = BINDING.memory().allocate(SockaddrStorage.SIZE)) {
                SockaddrStorage.family(block.buffer(), 0, SocketConstants.AF_UNIX);
                block.buffer().put(SockaddrUn.PATH, path);
                return call.applyAsInt(block.address());
            }
        }
    }
}
