package dev.sluice.demultiplexer.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.operation.BufferGroup;
import dev.sluice.demultiplexer.operation.ProvidedBufferContract;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A receive that waits for provided buffers goes on when others give theirs back. It need not give back its own first,
 * since these may hold half of a message, whose other half is to come.
 */
@EnabledOnOs(OS.LINUX)
class BufferShareTest extends ProvidedBufferContract {

    private static final int BUFFERS = 4;
    private static final int SHARE = 8;

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "epoll-one-shot"})
    void continuesWhenTheOthersHaveGivenTheirsBack(String name) throws Exception {
        open(name, 3);
        Connection half = receiving();
        RetainedBuffer own = arrival(half).retain();
        List<RetainedBuffer> others = new ArrayList<>();
        for (int i = 1; i < BUFFERS; i++) {
            others.add(arrival(receiving()).retain());
        }
        half.send("x");
        nothingComes();
        others.forEach(RetainedBuffer::close);
        next();
        own.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "epoll-one-shot"})
    void continuesWhenItHasGivenSomeBackAndTheOthersHave(String name) throws Exception {
        open(name, 2);
        Connection much = receiving();
        List<RetainedBuffer> own = new ArrayList<>(List.of(arrival(much).retain(), arrival(much).retain()));
        List<RetainedBuffer> others = List.of(arrival(receiving()).retain(), arrival(receiving()).retain());
        much.send("x");
        nothingComes();
        own.remove(0).close();
        nothingComes();
        others.forEach(RetainedBuffer::close);
        next();
        own.get(0).close();
    }

    /** However many connections keep all that they may, one that keeps nothing goes on. */
    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "epoll-one-shot"})
    void connectionsThatKeepTheirShareLeaveOthersAlone(String name) throws Exception {
        open(name, 3);
        List<RetainedBuffer> kept = new ArrayList<>();
        for (int i = 0; i < 4 * BUFFERS; i++) {
            Connection stalled = receiving();
            for (int j = 0; j < BUFFERS; j++) {
                stalled.send("x");
            }
            kept.add(next().retain());
        }
        keepAll(kept);
        Connection other = receiving();
        for (int i = 0; i < 3; i++) {
            other.send("y");
            assertEquals('y', next().bytes().get(0));
        }
        kept.forEach(RetainedBuffer::close);
    }

    /** It counts what has been received into, as all of that may turn out to be kept. */
    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "epoll-one-shot"})
    void connectionKeepsNoMoreThanItsShare(String name) throws Exception {
        open(name, new BufferGroup.Size(1024, 64, 256), SHARE);
        Connection connection = receiving();
        connection.send("x".repeat(100 * 1024));
        List<RetainedBuffer> kept = new ArrayList<>();
        kept.add(next().retain());
        keepAll(kept);
        assertEquals(SHARE, kept.size());
        for (int bytes = 0; bytes < 100 * 1024;) {
            RetainedBuffer first = kept.isEmpty() ? next().retain() : kept.remove(0);
            bytes += first.bytes().remaining();
            first.close();
            keepAll(kept);
            assertTrue(kept.size() <= SHARE, () -> "keeps " + kept.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "epoll-one-shot"})
    void continuesWithThoseThereAreIfThereIsNoMemoryForMore(String name) throws Exception {
        AtomicInteger allocations = new AtomicInteger();
        Binding real = Bindings.current();
        Bindings.use(ScarceMemory.of(real, () -> allocations.decrementAndGet() == 0));
        try {
            open(name, new BufferGroup.Size(1024, 1, BUFFERS), BUFFERS);
            Connection connection = receiving();
            RetainedBuffer only = arrival(connection).retain();
            allocations.set(1);
            connection.send("x");
            nothingComes();
            assertEquals(0, allocations.get());
            only.close();
            next();
        } finally {
            Bindings.use(real);
        }
    }

    /** Those that are there count, if there is no memory for as many as there may be. */
    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "epoll-one-shot"})
    void stalledConnectionsLeaveSomeToOthersWithoutMemoryForMore(String name) throws Exception {
        AtomicBoolean scarce = new AtomicBoolean();
        Binding real = Bindings.current();
        Bindings.use(ScarceMemory.ofSizes(real, size -> scarce.get() && size >= 8 * 1024));
        try {
            open(name, new BufferGroup.Size(1024, 8, 64), 6);
            assertNotNull(arrival(receiving()));
            scarce.set(true);
            List<RetainedBuffer> kept = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Connection stalled = receiving();
                stalled.send("x".repeat(32 * 1024));
                kept.add(next().retain());
                keepAll(kept);
            }
            Connection other = receiving();
            for (int i = 0; i < 3; i++) {
                other.send("y");
                assertEquals('y', next().bytes().get(0));
            }
            kept.forEach(RetainedBuffer::close);
        } finally {
            Bindings.use(real);
        }
    }

    private void open(String name, int maxRetained) throws IOException {
        open(name, new BufferGroup.Size(1024, BUFFERS, BUFFERS), maxRetained);
    }

    private ProvidedBuffer arrival(Connection connection) throws IOException {
        connection.send("x");
        return next();
    }

    private void nothingComes() throws IOException {
        for (int i = 0; i < 10; i++) {
            assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        }
    }
}
