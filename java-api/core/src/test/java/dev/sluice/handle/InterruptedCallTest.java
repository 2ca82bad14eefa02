package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signals interrupt system calls, which the library repeats without its callers noticing. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@Tag(CalledSystem.NOT_WINDOWS)
class InterruptedCallTest extends LeakChecked {

    @TempDir
    Path directory;

    private FaultInjection faults;

    @BeforeEach
    void install() {
        faults = FaultInjection.install();
    }

    // Runs before the inherited method, which closes the owned resources and then compares.
    @AfterEach
    void restore() {
        faults.close();
    }

    private interface IoCall {
        long run() throws Exception;
    }

    private void assertRepeated(String function, long expected, IoCall call) throws Exception {
        int before = faults.calls(function);
        faults.failNth(function, 1, Errno.EINTR);
        faults.failNth(function, 2, Errno.EINTR);
        assertEquals(expected, call.run(), function);
        assertEquals(before + 3, faults.calls(function), "calls of " + function);
    }

    private static ByteBuffer[] vector(ByteBuffer buffer) {
        return new ByteBuffer[] {buffer};
    }

    @Test
    void streams() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        FileHandle file = own(FileHandle.open(Files.writeString(directory.resolve("file"), "file")));
        for (BufferKind kind : new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT}) {
            assertRepeated("send", 3, () -> pair.client().send(kind.of(Bytes.of("abc"))));
            assertRepeated("sendmsg", 3, () -> pair.client().send(vector(kind.of(Bytes.of("def"))), 0, 1));
            ByteBuffer destination = kind.empty(6);
            assertRepeated("recv", 3, () -> pair.server().receive(destination.limit(destination.position() + 3)));
            assertRepeated("recvmsg", 3,
                    () -> pair.server().receive(vector(destination.limit(destination.limit() + 3)), 0, 1));
            assertEquals("abcdef", new String(kind.received(destination)));
        }
        assertRepeated("sendfile", 3, () -> pair.client().sendFile(file, 1, 100));
        ByteBuffer rest = ByteBuffer.allocate(3);
        assertTrue(pair.server().receiveFully(rest, Patience.LIMIT));
        assertEquals("ile", Bytes.text(rest));
    }

    @Test
    void datagrams() throws Exception {
        SocketDatagram from = own(SocketDatagram.open(Transport.freshPath(directory)));
        SocketDatagram to = own(SocketDatagram.open(Transport.freshPath(directory)));
        PeerAddress sender = new PeerAddress();
        for (int size : new int[] {3, 100_000}) {
            assertRepeated("sendto", 1, () -> from.send(ByteBuffer.allocate(size), to.localAddress()) ? 1 : 0);
            assertRepeated("recvfrom", size, () -> to.receive(ByteBuffer.allocate(size), sender));
            assertEquals(from.localAddress(), sender.toSocketAddress());
        }
    }

    @Test
    void pipes() throws Exception {
        Pipe pipe = own(Pipe.open());
        assertRepeated("write", 3, () -> pipe.send(Bytes.heap("abc")));
        assertRepeated("read", 3, () -> pipe.receive(ByteBuffer.allocate(9)));
    }

    @Test
    void files() throws Exception {
        Path path = directory.resolve("file");
        FileHandle[] opened = new FileHandle[1];
        assertRepeated("open", 0, () -> {
            opened[0] = own(FileHandle.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                    StandardOpenOption.WRITE));
            return opened[0].size();
        });
        FileHandle file = opened[0];
        assertRepeated("pwrite", 3, () -> file.write(Bytes.heap("abc"), 0));
        assertRepeated("pwritev", 3, () -> file.write(vector(Bytes.heap("def")), 0, 1, 3));
        assertRepeated("pread", 6, () -> file.read(ByteBuffer.allocate(9), 0));
        assertRepeated("preadv", 4, () -> file.read(vector(ByteBuffer.allocateDirect(9)), 0, 1, 2));
        assertRepeated("ftruncate", 2, () -> {
            file.truncate(2);
            return file.size();
        });
        assertRepeated("fsync", 0, () -> {
            file.force();
            return 0;
        });
        assertRepeated("fdatasync", 0, () -> {
            file.forceData();
            return 0;
        });
    }

    @Test
    void accepting() throws Exception {
        SocketAcceptor acceptor = own(Transport.TCP4.acceptor(directory));
        own(SocketConnector.connect(acceptor.localAddress(), Patience.LIMIT));
        Patience.awaitReadable(acceptor);
        assertRepeated("accept4", 0, () -> own(acceptor.accept()).receive(ByteBuffer.allocate(1)));
    }

    @Test
    void connectReturnsWhileTheAttemptIsInProgress() throws Exception {
        SocketAcceptor acceptor = own(Transport.TCP4.acceptor(directory));
        faults.failAfterNth("connect", 1, Errno.EINTR);
        SocketStream client = own(SocketConnector.connect(acceptor.localAddress(), Patience.LIMIT));
        assertEquals(1, faults.calls("connect"), "a second call would fail with EALREADY");
        assertEquals(acceptor.localAddress(), client.remoteAddress());
        own(acceptor.accept(Patience.LIMIT));
    }

    @Test
    void waiting() throws Exception {
        SocketAcceptor acceptor = own(Transport.TCP4.acceptor(directory));
        assertRepeated("poll", 1, () -> {
            try {
                acceptor.accept(Duration.ofMillis(1));
                return 0;
            } catch (IOException e) {
                return 1;
            }
        });
    }
}
