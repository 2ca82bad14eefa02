package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Provided buffers leave native memory to everything else, and a connection that has no buffer gets one anyway. */
@EnabledOnOs(OS.LINUX)
class ProvidedMemoryTest extends ProvidedBufferContract {

    private static final int BYTES = 1024;
    private static final int INITIAL = 8;
    private static final int STALLED = 20;

    private int others;

    @Test
    void noMoreIsTakenThanThereIs() {
        ProvidedMemory memory = new ProvidedMemory(100);
        assertEquals(3, memory.take(4, 30));
        assertEquals(0, memory.take(1, 30));
        memory.takeBeyond(2, 30);
        assertEquals(0, memory.take(1, 1));
        memory.release(150);
        assertEquals(3, memory.take(4, 30));
    }

    /** Other demultiplexers take all of it. */
    private void exhaust() {
        others = ProvidedMemory.CURRENT.take(Integer.MAX_VALUE, BYTES);
        assertEquals(0, ProvidedMemory.CURRENT.take(1, BYTES));
    }

    @AfterEach
    void endExhaustion() {
        ProvidedMemory.CURRENT.release((long) others * BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "epoll-one-shot"})
    void connectionThatHasNoBufferGetsOneThoughAllMemoryForBuffersIsTaken(String name) throws Exception {
        open(name);
        exhaust();
        List<RetainedBuffer> kept = new ArrayList<>();
        for (int i = 0; i < STALLED; i++) {
            Connection stalled = receiving();
            for (int j = 0; j < INITIAL; j++) {
                stalled.send("x");
            }
            kept.add(next().retain());
            keepAll(kept);
        }
        Connection newcomer = receiving();
        for (int i = 0; i < 3; i++) {
            newcomer.send("y");
            assertEquals('y', next().bytes().get(0));
        }
        kept.forEach(RetainedBuffer::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "epoll-one-shot"})
    void connectionsThatHaveBuffersGetNoMoreOnceAllMemoryForBuffersIsTaken(String name) throws Exception {
        open(name);
        exhaust();
        List<RetainedBuffer> kept = new ArrayList<>();
        for (int i = 0; i < STALLED; i++) {
            Connection stalled = receiving();
            stalled.send("x".repeat(INITIAL * BYTES));
            kept.add(next().retain());
            keepAll(kept);
        }
        long count = kept.size();
        assertTrue(count < 2 * STALLED, () -> STALLED + " connections have " + count + " buffers");
        kept.forEach(RetainedBuffer::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "epoll-one-shot"})
    void connectionsGetTheirShareAgainOnceThereIsMemory(String name) throws Exception {
        open(name);
        exhaust();
        Connection connection = receiving();
        connection.send("x".repeat(2 * INITIAL * BYTES));
        List<RetainedBuffer> kept = new ArrayList<>(List.of(next().retain()));
        keepAll(kept);
        assertTrue(kept.size() < INITIAL, () -> "has " + kept.size());
        endExhaustion();
        others = 0;
        kept.forEach(RetainedBuffer::close);
        kept.clear();
        keepAll(kept);
        assertTrue(kept.size() >= INITIAL, () -> "has " + kept.size());
        kept.forEach(RetainedBuffer::close);
    }

    private void open(String name) throws IOException {
        // A connection may have 4 in any case, and 128 at most.
        open(name, new BufferGroup.Size(BYTES, INITIAL, 256), 128);
    }
}
