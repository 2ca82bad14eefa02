package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** ENOBUFS is how a kernel says that provided buffers are used up, and also that it has no memory itself. */
@EnabledIfIoUring
class ReceiveWithoutMemoryTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void endsWithTheErrorWhereThereIsNoRingOfBuffers() throws Exception {
        try (LesserKernel.Running running = LesserKernel.withoutMemory().run();
                SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
                AsynchronousEventDemultiplexer demultiplexer = new IoUringDemultiplexer();
                Completions completions = demultiplexer.newCompletions(1);
                SocketStream stream = SocketConnector.connect(acceptor.localAddress(), PATIENCE)) {
            Operation receive = demultiplexer.newOperation();
            receive.receiveContinuously(demultiplexer.associate(stream.handle()));
            assertEquals(1, demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
            assertSame(receive, completions.operation(0));
            assertEquals(Errno.ENOBUFS, Errno.of(completions.result(0)));
            assertFalse(receive.isInFlight());
        }
    }
}
