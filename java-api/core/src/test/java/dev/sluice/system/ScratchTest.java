package dev.sluice.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.MemoryInUse;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class ScratchTest extends LeakChecked {

    /** The maximum that all threads together may keep. */
    private static final long MAX_KEPT = 2 << 20;

    @Test
    void borrowerIsAlone() {
        Binding binding = Bindings.current();
        try (Scratch one = Scratch.borrow(binding); Scratch other = Scratch.borrow(binding)) {
            assertNotSame(one, other);
            assertTrue(Math.abs(one.address(0) - other.address(0)) >= Scratch.SMALL);
        }
    }

    @Test
    void nextCallOfTheThreadGetsTheSame() {
        Binding binding = Bindings.current();
        Scratch small = Scratch.borrow(binding);
        small.close();
        Scratch large = Scratch.withCapacity(binding, 1);
        large.close();
        for (int i = 0; i < 10; i++) {
            try (Scratch again = Scratch.borrow(binding); Scratch withCapacity = Scratch.withCapacity(binding, 100)) {
                assertSame(small, again);
                assertSame(large, withCapacity);
            }
        }
    }

    @Test
    void memoryOutsideOfPoolsIsFreedImmediately() {
        long before = MemoryBlock.openBytes();
        try (Scratch scratch = Scratch.withCapacity(Bindings.current(), 1 << 20)) {
            assertEquals(1 << 20, scratch.copySpace());
            scratch.memory().put(Scratch.COPY + scratch.copySpace() - 1, (byte) 1);
        }
        assertEquals(before, MemoryBlock.openBytes());
    }

    @Test
    void poolIsBounded() {
        Binding binding = Bindings.current();
        List<Scratch> borrowed = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            borrowed.add(Scratch.borrow(binding));
            borrowed.add(Scratch.withCapacity(binding, Scratch.COPY_SIZE));
        }
        for (int i = 0; i < 2000; i++) {
            borrowed.add(Scratch.forWait(binding));
        }
        long inUse = MemoryInUse.bytes();
        borrowed.forEach(Scratch::close);
        assertEquals(inUse - 200L * (Scratch.SMALL + Scratch.LARGE) - 2000L * Scratch.WAIT, MemoryInUse.bytes());
        assertTrue(Scratch.pooledBytes() <= MAX_KEPT, () -> Scratch.pooledBytes() + " bytes are kept");
    }

    /** Each thread waits for its own connection; closing an arena would stop all of them briefly. */
    @Test
    void theNextWaitsOfManyThreadsAllocateNothing() {
        Binding binding = Bindings.current();
        waitTogether(binding).forEach(Scratch::close);
        long kept = MemoryBlock.openBytes();
        List<Scratch> waiting = waitTogether(binding);
        long open = MemoryBlock.openBytes();
        waiting.forEach(Scratch::close);
        assertEquals(kept, open);
        assertEquals(waiting.size(), waiting.stream().map(scratch -> scratch.address(0)).distinct().count());
    }

    private static List<Scratch> waitTogether(Binding binding) {
        return Stream.generate(() -> Scratch.forWait(binding)).limit(1000).toList();
    }

    // Winsock keeps an event for each carrier thread that has called it.
    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void threadsRetainNoMemory() throws Exception {
        int threads = Runtime.version().feature() >= 21 ? 1000 : 200;
        SocketDatagram socket = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        long before = MemoryBlock.openBytes();
        CountDownLatch called = new CountDownLatch(threads);
        CountDownLatch measured = new CountDownLatch(1);
        ExecutorService executor = threadPerTask();
        try {
            List<Future<?>> tasks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                tasks.add(executor.submit(() -> {
                    try {
                        useFacades(socket);
                    } finally {
                        called.countDown();
                    }
                    measured.await();
                    return null;
                }));
            }
            called.await();
            long kept = MemoryBlock.openBytes() - before;
            measured.countDown();
            for (Future<?> task : tasks) {
                task.get();
            }
            assertTrue(kept <= MAX_KEPT, () -> kept + " bytes for " + threads + " threads");
        } finally {
            measured.countDown();
            executor.shutdown();
        }
    }

    private static void useFacades(SocketDatagram socket) throws Exception {
        for (int i = 0; i < 3; i++) {
            socket.getOption(NativeSocketOptions.SO_RCVBUF);
            socket.send(ByteBuffer.allocate(100), socket.localAddress());
            socket.receive(ByteBuffer.allocate(100), new PeerAddress());
        }
    }

    // Virtual threads came with Java 21.
    private static ExecutorService threadPerTask() throws ReflectiveOperationException {
        return Runtime.version().feature() >= 21
                ? (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null)
                : Executors.newCachedThreadPool();
    }

    @Test
    void placesDoNotOverlap() {
        int[] places = {Scratch.VALUE, Scratch.LENGTH, Scratch.ADDRESS, Scratch.MESSAGE, Scratch.VECTOR, Scratch.COPY};
        for (int place : places) {
            assertEquals(0, place % Long.BYTES);
        }
        try (Scratch small = Scratch.borrow(Bindings.current());
                Scratch large = Scratch.withCapacity(Bindings.current(), 0)) {
            assertEquals(Scratch.SMALL, small.memory().capacity());
            assertEquals(0, small.copySpace());
            assertEquals(Scratch.COPY + Scratch.COPY_SIZE, large.memory().capacity());
            assertEquals(Scratch.COPY_SIZE, large.copySpace());
        }
    }
}
