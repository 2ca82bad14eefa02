package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.emulated.ConcurrentEmulatedDemultiplexer;
import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringSize;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.LeakChecked;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Provided buffers leave native memory to everything else, and a connection that has no buffer gets one anyway. */
@EnabledOnOs(OS.LINUX)
class ProvidedMemoryTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BYTES = 1024;
    private static final int INITIAL = 8;
    private static final int STALLED = 20;

    private OperationProcessor processor;
    private Completions completions;
    private int others;

    @Test
    void noMoreIsTakenThanThereIs() {
        ProvidedMemory memory = new ProvidedMemory(100);
        assertEquals(3, memory.take(4, 30));
        assertEquals(0, memory.take(1, 30));
        memory.takeBeyond(2, 30);
        assertEquals(0, memory.take(1, 1));
        memory.giveBack(150);
        assertEquals(3, memory.take(4, 30));
    }

    /** Other demultiplexers take all of it. */
    private void exhaust() {
        others = ProvidedMemory.CURRENT.take(Integer.MAX_VALUE, BYTES);
        assertEquals(0, ProvidedMemory.CURRENT.take(1, BYTES));
    }

    @AfterEach
    void endExhaustion() {
        ProvidedMemory.CURRENT.giveBack((long) others * BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "epoll-one-shot"})
    void connectionThatHasNoBufferGetsOneThoughAllMemoryForBuffersIsTaken(String name) throws Exception {
        open(name);
        exhaust();
        List<ProvidedBuffer> kept = new ArrayList<>();
        for (int i = 0; i < STALLED; i++) {
            Connection stalled = receiving();
            for (int j = 0; j < INITIAL; j++) {
                stalled.send("x");
            }
            kept.add(next().keep());
            keepAll(kept);
        }
        Connection newcomer = receiving();
        for (int i = 0; i < 3; i++) {
            newcomer.send("y");
            assertEquals('y', next().buffer().get(0));
        }
        kept.forEach(ProvidedBuffer::release);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "epoll-one-shot"})
    void connectionsThatHaveBuffersGetNoMoreOnceAllMemoryForBuffersIsTaken(String name) throws Exception {
        open(name);
        exhaust();
        List<ProvidedBuffer> kept = new ArrayList<>();
        for (int i = 0; i < STALLED; i++) {
            Connection stalled = receiving();
            stalled.send("x".repeat(INITIAL * BYTES));
            kept.add(next().keep());
            keepAll(kept);
        }
        long count = kept.size();
        assertTrue(count < 2 * STALLED, () -> STALLED + " connections have " + count + " buffers");
        kept.forEach(ProvidedBuffer::release);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "epoll-one-shot"})
    void connectionsGetTheirShareAgainOnceThereIsMemory(String name) throws Exception {
        open(name);
        exhaust();
        Connection connection = receiving();
        connection.send("x".repeat(2 * INITIAL * BYTES));
        List<ProvidedBuffer> kept = new ArrayList<>(List.of(next().keep()));
        keepAll(kept);
        assertTrue(kept.size() < INITIAL, () -> "has " + kept.size());
        endExhaustion();
        others = 0;
        kept.forEach(ProvidedBuffer::release);
        kept.clear();
        keepAll(kept);
        assertTrue(kept.size() >= INITIAL, () -> "has " + kept.size());
        kept.forEach(ProvidedBuffer::release);
    }

    private void open(String name) throws IOException {
        // A connection may have 4 in any case, and 128 at most.
        ProvidedBuffers.Size size = new ProvidedBuffers.Size(new BufferGroup.Size(BYTES, INITIAL, 256), null, 128);
        processor = own(open(name, size));
        completions = own(processor.newCompletions(1));
    }

    private static OperationProcessor open(String name, ProvidedBuffers.Size size) throws IOException {
        switch (name) {
            case "epoll":
                return new EmulatedDemultiplexer(new EpollDemultiplexer(name, Trigger.LEVEL), size,
                        FilePool.DEFAULT_MAX);
            case "epoll-one-shot":
                return new ConcurrentEmulatedDemultiplexer(new EpollDemultiplexer(name, Trigger.ONE_SHOT), size,
                        FilePool.DEFAULT_MAX);
            default:
                try {
                    return new IoUringDemultiplexer(new IoUringSize(64, 128, size, IoUringSize.NEVER), false);
                } catch (IOException e) {
                    return Assumptions.abort("io_uring is not allowed here: " + e.getMessage());
                }
        }
    }

    private Connection receiving() throws IOException {
        Connection connection = own(Connection.unix());
        processor.newOperation().receiveContinuously(processor.associate(connection.near().handle()));
        return connection;
    }

    private void keepAll(List<ProvidedBuffer> kept) throws IOException {
        for (int looks = 0; looks < 10; looks++) {
            while (processor.awaitCompletions(completions, 0) > 0) {
                kept.add(completions.get(0).buffer().keep());
            }
        }
    }

    private ProvidedBuffer next() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (processor.awaitCompletions(completions, PATIENCE.toNanos()) == 0) {
            assertTrue(System.nanoTime() - end < 0, "nothing is received");
        }
        assertNotNull(completions.get(0).buffer(), () -> "the receive has ended with " + completions.result(0));
        return completions.get(0).buffer();
    }
}
