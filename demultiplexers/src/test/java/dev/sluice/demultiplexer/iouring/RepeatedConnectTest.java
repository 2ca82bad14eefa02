package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CONNECT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connect that the kernel has dropped, and that continues, has no effect on later starts of its operation. */
@EnabledIfIoUring
@Timeout(60)
class RepeatedConnectTest extends LeakChecked {

    private static final long NANOS = Duration.ofSeconds(30).toNanos();
    private static final IoUringSize SIZE = new IoUringSize(8, 16, ProvidedBuffers.Size.DEFAULT, IoUringSize.NEVER);

    /** EAGAIN means that the backlog of the peer is full: there is no event to wait for. */
    @Test
    void laterStartReportsFullBacklog(@TempDir Path directory) throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
        try (RewrittenCompletions calls = RewrittenCompletions.install();
                SocketAcceptor acceptor = SocketAcceptor.open(address);
                MultiThreadedIoUringDemultiplexer demultiplexer = new MultiThreadedIoUringDemultiplexer(SIZE, false);
                Completions completions = demultiplexer.newCompletions(1);
                SocketStream first = SocketConnector.unconnected(address, null);
                SocketStream second = SocketConnector.unconnected(address, null)) {
            PeerAddress remote = PeerAddress.of(acceptor.localAddress());
            Association whereFirst = demultiplexer.associate(first.handle());
            Association whereSecond = demultiplexer.associate(second.handle());
            Operation connect = demultiplexer.newOperation();
            calls.next(IORING_OP_CONNECT, honest -> -Errno.EALREADY.number());
            calls.next(IORING_OP_POLL_ADD, honest -> -Errno.EIO.number());
            connect.connect(whereFirst, remote);
            assertEquals(1, demultiplexer.awaitCompletions(completions, NANOS));
            assertEquals(-Errno.EIO.number(), completions.result(0), "the result of the poll");
            calls.next(IORING_OP_CONNECT, honest -> -Errno.EAGAIN.number());
            connect.connect(whereSecond, remote);
            assertEquals(1, demultiplexer.awaitCompletions(completions, NANOS));
            assertEquals(-Errno.EAGAIN.number(), completions.result(0));
        }
    }
}
