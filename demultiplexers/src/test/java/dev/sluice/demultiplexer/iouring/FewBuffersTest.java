package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many continuous receives have bytes at the same time, and the kernel is offered buffers for a few of them. */
@EnabledIfIoUring
@Timeout(60)
class FewBuffersTest extends LeakChecked {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int BYTES = 16;
    private static final int CONNECTIONS = 32;
    /** Two buffers are offered at a time. */
    private static final IoUringSize SIZE = new IoUringSize(64, 128,
            new ProvidedBuffers.Size(new BufferGroup.Size(BYTES, 16, 64), null, 6), IoUringSize.NEVER);

    /** If each of them tried again whenever a buffer is free, most attempts would fail. */
    @Test
    void receivesTryAgainInTurn() throws Exception {
        List<SocketStream> streams = new ArrayList<>();
        try (RewrittenCompletions calls = RewrittenCompletions.install();
                SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
                IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer(SIZE, false);
                Completions completions = demultiplexer.newCompletions(CONNECTIONS)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                SocketStream far = SocketConnector.connect(acceptor.localAddress(), LIMIT);
                streams.add(far);
                SocketStream near = acceptor.accept(LIMIT);
                streams.add(near);
                far.send(ByteBuffer.allocate(BYTES / 2));
                demultiplexer.newOperation().receiveContinuously(demultiplexer.associate(near.handle()));
            }
            int received = 0;
            while (received < CONNECTIONS) {
                int count = demultiplexer.awaitCompletions(completions, LIMIT.toNanos());
                assertTrue(count > 0, received + " have received");
                received += count;
            }
            long submitted = calls.submitted(IORING_OP_RECV);
            assertTrue(submitted <= 4 * CONNECTIONS, () -> submitted + " receives were submitted");
        } finally {
            streams.forEach(SocketStream::close);
        }
    }
}
