package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.emulated.MultiThreadedEmulatedDemultiplexer;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringSize;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.LeakChecked;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Connections that receive into provided buffers, of which there are as many as the test says. */
public abstract class ProvidedBufferContract extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Null until it is opened. */
    protected AsynchronousEventDemultiplexer demultiplexer;
    /** Takes one completion at a time. */
    protected Completions completions;

    /** For subclasses. */
    protected ProvidedBufferContract() {
    }

    protected final void open(String name, BufferGroup.Size ordinary, int maxRetained) throws IOException {
        demultiplexer = own(open(name, new ProvidedBuffers.Size(ordinary, null, maxRetained)));
        completions = own(demultiplexer.newCompletions(1));
    }

    private static AsynchronousEventDemultiplexer open(String name, ProvidedBuffers.Size size) throws IOException {
        switch (name) {
            case "epoll":
                return new EmulatedDemultiplexer(new EpollDemultiplexer(name, Trigger.LEVEL), size,
                        FilePool.DEFAULT_MAX);
            case "epoll-one-shot":
                return new MultiThreadedEmulatedDemultiplexer(new EpollDemultiplexer(name, Trigger.ONE_SHOT), size,
                        FilePool.DEFAULT_MAX);
            default:
                try {
                    return new IoUringDemultiplexer(new IoUringSize(64, 128, size, IoUringSize.NEVER), false);
                } catch (IOException e) {
                    return Assumptions.abort("io_uring is not allowed here: " + e.getMessage());
                }
        }
    }

    /** {@return a connection whose near end receives all the time} */
    protected final Connection receiving() throws IOException {
        Connection connection = own(Connection.unix());
        demultiplexer.newOperation().receiveContinuously(demultiplexer.associate(connection.near().handle()));
        return connection;
    }

    /** {@return the buffer with the next bytes; not kept} */
    protected final ProvidedBuffer next() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()) == 0) {
            assertTrue(System.nanoTime() - end < 0, "nothing is received");
        }
        assertNotNull(completions.get(0).buffer(), () -> "the receive has ended with " + completions.result(0));
        return completions.get(0).buffer();
    }

    /** Keeps all buffers with bytes that have come. */
    protected final void keepAll(List<RetainedBuffer> kept) throws IOException {
        for (int looks = 0; looks < 10; looks++) {
            while (demultiplexer.awaitCompletions(completions, 0) > 0) {
                kept.add(completions.get(0).buffer().retain());
            }
        }
    }
}
