package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.WindowsError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the calls of Windows mean something else than those of Unix that they are modelled on. */
@Tag("windows")
class WindowsHandlesTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final SocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Winsock tells the acceptor of a peer that has reset its connection while it waited. */
    @Test
    void acceptSkipsAResetConnection() throws IOException {
        try (FaultInjection faults = FaultInjection.install();
                SocketAcceptor acceptor = SocketAcceptor.open(LOOPBACK)) {
            faults.returnNth("accept", 1, -WindowsError.WSAECONNRESET);
            assertNull(acceptor.accept());
            assertEquals(2, faults.calls("accept"));
            try (SocketStream client = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
                    SocketStream accepted = acceptor.accept(PATIENCE)) {
                assertEquals(client.localAddress(), accepted.remoteAddress());
            }
        }
    }

    @Test
    void refusedConnectionFailsImmediately() throws IOException {
        SocketAcceptor acceptor = SocketAcceptor.open(LOOPBACK);
        SocketAddress unused = acceptor.localAddress();
        acceptor.close();
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> SocketConnector.connect(unused, Duration.ofDays(1)));
        assertEquals("ECONNREFUSED", e.errorName());
    }

    /** A pipe is a connection to a listening socket, to which other processes may connect, too. */
    @Test
    void foreignConnectionThatIsResetFailsNoPipe() throws IOException {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.returnNth("accept", 1, -WindowsError.WSAECONNRESET)
                    .returnNth("accept", 2, -WindowsError.WSAECONNABORTED);
            try (Pipe pipe = Pipe.open()) {
                assertEquals(3, faults.calls("accept"));
                assertEquals(1, pipe.send(ByteBuffer.wrap(new byte[] {7})));
                ByteBuffer received = ByteBuffer.allocate(2);
                assertEquals(1, pipe.receive(received));
                assertEquals(7, received.get(0));
            }
        }
    }

    @Test
    void acceptsForAPipeAreBounded() {
        try (FaultInjection faults = FaultInjection.install()) {
            for (int i = 1; i <= 1000; i++) {
                faults.returnNth("accept", i, -WindowsError.WSAECONNRESET);
            }
            SystemCallException e = assertThrows(SystemCallException.class, () -> Pipe.open().close());
            assertEquals("ECONNABORTED", e.errorName());
        }
    }

    @Test
    void fileSystemWithoutHolesIsNamed(@TempDir Path directory) throws IOException {
        try (FaultInjection faults = FaultInjection.install();
                FileHandle file = FileHandle.open(directory.resolve("file"), StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            faults.returnNth("DeviceIoControl", 1, -WindowsError.ERROR_INVALID_FUNCTION);
            SystemCallException e = assertThrows(SystemCallException.class, () -> file.punchHole(0, 1));
            assertEquals("EOPNOTSUPP", e.errorName());
        }
    }

    /** FlushFileBuffers wants the right to write. */
    @Test
    void fileThatIsOnlyReadIsForcedWithoutAnError(@TempDir Path directory) throws IOException {
        Path path = Files.createFile(directory.resolve("file"));
        try (FaultInjection faults = FaultInjection.install(); FileHandle file = FileHandle.open(path)) {
            faults.returnNth("FlushFileBuffers", 1, -WindowsError.ERROR_ACCESS_DENIED);
            file.force();
            faults.returnNth("FlushFileBuffers", 1, -WindowsError.ERROR_ACCESS_DENIED);
            file.forceData();
        }
    }
}
