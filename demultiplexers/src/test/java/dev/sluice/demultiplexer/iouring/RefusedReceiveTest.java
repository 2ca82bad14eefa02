package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.BufferGroup;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A continuous receive for which the kernel has taken a provided buffer fails with EAGAIN. */
@EnabledIfIoUring
@Timeout(60)
class RefusedReceiveTest extends LeakChecked {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int BYTES = 4;
    private static final int REST = 3;
    /** A connection may have one buffer at a time, so each request is for one arrival. */
    private static final IoUringSize SIZE = new IoUringSize(8, 16,
            new ProvidedBuffers.Size(new BufferGroup.Size(BYTES, 1, 2), null, 1), IoUringSize.NEVER);

    @Test
    void bufferIsUsedAgain() throws Exception {
        try (RewrittenCompletions calls = RewrittenCompletions.install();
                SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
                SocketStream far = SocketConnector.connect(acceptor.localAddress(), LIMIT);
                SocketStream near = acceptor.accept(LIMIT);
                IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer(SIZE, false);
                Completions completions = demultiplexer.newCompletions(1)) {
            demultiplexer.newOperation().receiveContinuously(demultiplexer.associate(near.handle()));
            // It finds no buffer at first, and then waits.
            assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
            assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
            calls.next(IORING_OP_RECV, honest -> -Errno.EAGAIN.number());
            far.send(ByteBuffer.allocate(BYTES + REST));
            assertEquals(1, demultiplexer.awaitCompletions(completions, LIMIT.toNanos()));
            // The kernel had received what it was made to deny.
            assertEquals(REST, completions.result(0));
            assertTrue(calls.submitted(IORING_OP_POLL_ADD) > 0, "no poll before the next attempt");
        }
    }
}
