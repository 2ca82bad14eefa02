package dev.sluice.demultiplexer.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringSize;
import dev.sluice.demultiplexer.operation.BufferGroup;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.LeakChecked;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A released large buffer goes to a receive that prefers large buffers, even if others wait for ordinary ones. */
@EnabledOnOs(OS.LINUX)
class LargeBufferReturnTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ORDINARY = 1024;
    private static final int LARGE = 4 * ORDINARY;
    private static final int BUFFERS = 4;
    private static final ProvidedBuffers.Size SIZE = new ProvidedBuffers.Size(
            new BufferGroup.Size(ORDINARY, BUFFERS, BUFFERS), new BufferGroup.Size(LARGE, 1, 1), BUFFERS);

    private AsynchronousEventDemultiplexer demultiplexer;
    private Completions completions;
    private final Deque<RetainedBuffer> kept = new ArrayDeque<>();

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll"})
    void wakesTheReceiveThatCanUseIt(String name) throws Exception {
        demultiplexer = own(open(name));
        completions = own(demultiplexer.newCompletions(1));
        Connection much = own(Connection.unix());
        Connection little = own(Connection.unix());
        Operation bulk = receive(much);
        much.far().send(ByteBuffer.allocateDirect(20 * LARGE));
        while (kept.size() <= BUFFERS) {
            kept.add(next(bulk).retain());
        }
        receive(little);
        little.send("x");
        nothingComes();
        // The one that brings much is first in the line for buffers; this sends it to the end of it.
        release(ORDINARY);
        kept.add(next(bulk).retain());
        nothingComes();
        release(LARGE);
        assertEquals(LARGE, next(bulk).bytes().capacity());
        kept.forEach(RetainedBuffer::close);
    }

    private static AsynchronousEventDemultiplexer open(String name) throws IOException {
        if (name.equals("epoll")) {
            return new EmulatedDemultiplexer(new EpollDemultiplexer("epoll", Trigger.LEVEL), SIZE,
                    FilePool.DEFAULT_MAX);
        }
        try {
            return new IoUringDemultiplexer(new IoUringSize(64, 128, SIZE, IoUringSize.NEVER), false);
        } catch (IOException e) {
            return Assumptions.abort("io_uring is not allowed here: " + e.getMessage());
        }
    }

    private Operation receive(Connection connection) throws IOException {
        Operation operation = demultiplexer.newOperation();
        operation.receiveContinuously(demultiplexer.associate(connection.near().handle()));
        return operation;
    }

    private ProvidedBuffer next(Operation expected) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()) == 0) {
            assertTrue(System.nanoTime() - end < 0, "nothing is received");
        }
        assertEquals(expected, completions.operation(0));
        return completions.get(0).buffer();
    }

    private void nothingComes() throws IOException {
        for (int i = 0; i < 10; i++) {
            assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        }
    }

    private void release(int capacity) {
        RetainedBuffer first = kept.stream().filter(buffer -> buffer.bytes().capacity() == capacity)
                .findFirst().orElseThrow();
        kept.remove(first);
        first.close();
    }
}
