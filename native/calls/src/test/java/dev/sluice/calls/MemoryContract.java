package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Memory that calls see. */
public abstract class MemoryContract extends BindingContract {

    private static final int CACHE_LINE = 64;

    protected MemoryContract(Binding binding) {
        super(binding);
    }

    @Test
    void isAlignedZeroedAndOfTheExactSize() {
        for (int size = 1; size <= 300; size++) {
            for (int again = 0; again < 3; again++) {
                try (MemoryBlock block = memory.allocate(size)) {
                    assertEquals(0, block.address() % CACHE_LINE, "alignment of " + size);
                    ByteBuffer buffer = block.buffer();
                    assertTrue(buffer.isDirect());
                    assertEquals(0, buffer.position());
                    assertEquals(size, buffer.limit());
                    assertEquals(size, buffer.capacity());
                    assertEquals(ByteOrder.nativeOrder(), buffer.order());
                    assertSame(buffer, block.buffer());
                    for (int i = 0; i < size; i++) {
                        assertEquals(0, buffer.get(i), "byte " + i + " of " + size);
                        buffer.put(i, (byte) 0xA5);
                    }
                }
            }
        }
    }

    /** That makes an allocation sleep before it is refused. */
    @Test
    void isNotLimitedWithTheDirectMemoryOfTheVirtualMachine() {
        long size = 1 << 20;
        long direct = directMemory();
        long used = MemoryBudget.CURRENT.used();
        try (MemoryBlock block = memory.allocate((int) size)) {
            ByteBuffer buffer = memory.allocateBuffer((int) size);
            assertTrue(directMemory() - direct < size, "direct memory of the virtual machine was reserved");
            assertTrue(MemoryBudget.CURRENT.used() >= used + 2 * size, "not counted");
            assertEquals(0, buffer.getLong(0) + block.buffer().getLong(0));
        }
    }

    private static long directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }

    @Test
    void bufferIsFreedWhenItCannotBeReached() throws InterruptedException {
        int size = 100 << 10;
        long before = MemoryBudget.CURRENT.used();
        assertEquals(size, memory.allocateBuffer(size).duplicate().put(0, (byte) 1).capacity());
        for (int i = 0; i < 500 && MemoryBudget.CURRENT.used() >= before + size; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertTrue(MemoryBudget.CURRENT.used() < before + size, "never freed");
    }

    @Test
    void bufferIsAnOrdinaryDirectOne() {
        ByteBuffer buffer = memory.allocateBuffer(100);
        assertTrue(buffer.isDirect());
        assertEquals(100, buffer.remaining());
        assertEquals(ByteOrder.BIG_ENDIAN, buffer.order());
        assertEquals(0, memory.sharedAddress(buffer) % CACHE_LINE);
        assertThrows(IllegalArgumentException.class, () -> memory.allocateBuffer(0));
    }

    @Test
    void refusesSizesThatAreNone() {
        for (int size : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE - 63, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> memory.allocate(size), () -> "size " + size);
        }
    }

    @Test
    void blocksAreCountedUntilTheyAreClosed() {
        long before = MemoryBlock.openBytes();
        MemoryBlock block = memory.allocate(1000);
        assertEquals(before + 1000, MemoryBlock.openBytes());
        block.close();
        block.close();
        assertEquals(before, MemoryBlock.openBytes());
    }

    @Test
    void blocksDoNotOverlap() {
        MemoryBlock one = block(100);
        MemoryBlock other = block(100);
        for (int i = 0; i < 100; i++) {
            one.buffer().put(i, (byte) 1);
        }
        assertEquals(0, other.buffer().getLong(0));
        assertTrue(Math.abs(one.address() - other.address()) >= 100);
    }

    @Test
    void addressOfABlocksBufferIsTheBlocks() {
        MemoryBlock block = block(100);
        assertEquals(block.address(), memory.address(block.buffer()));
        assertEquals(block.address(), memory.address(block.buffer().duplicate().position(100)));
        assertEquals(block.address() + 7, memory.address(block.buffer().slice(7, 20)));
    }

    @Test
    void addressIsWhereTheSystemWrites() {
        ByteBuffer direct = ByteBuffer.allocateDirect(100);
        assertSystemWritesAtIndexZero(direct);
        assertSystemWritesAtIndexZero(direct.position(40).slice());
        assertSystemWritesAtIndexZero(direct.position(33).slice().position(5).limit(50));
        assertSystemWritesAtIndexZero(direct.position(100));
        assertSystemWritesAtIndexZero(direct.clear().order(ByteOrder.LITTLE_ENDIAN).duplicate());
        assertEquals(memory.address(direct), memory.address(direct.asReadOnlyBuffer()));
    }

    private void assertSystemWritesAtIndexZero(ByteBuffer buffer) {
        int position = buffer.position();
        byte before = buffer.get(0);
        byte sent = (byte) (before + 1);
        MemoryBlock out = block(1);
        out.buffer().put(0, sent);
        int[] pipe = pipe();
        assertEquals(1, posix.write(pipe[1], out.address(), 1));
        assertEquals(1, posix.read(pipe[0], memory.address(buffer), 1));
        assertEquals(sent, buffer.get(0), () -> "index 0 of " + buffer);
        assertEquals(position, buffer.position(), "address() leaves the buffer alone");
    }

    @Test
    void addressRefusesTheHeap() {
        assertThrows(IllegalArgumentException.class, () -> memory.address(ByteBuffer.allocate(8)));
        assertThrows(IllegalArgumentException.class, () -> memory.address(ByteBuffer.wrap(new byte[8], 2, 4).slice()));
    }

    @Test
    void memoryOfASharedArenaIsToBeCopied() throws Exception {
        ForeignMemory.assumeThere();
        try (AutoCloseable arena = ForeignMemory.arena("ofShared")) {
            ByteBuffer buffer = ForeignMemory.buffer(arena);
            for (ByteBuffer each : List.of(buffer, buffer.slice(8, 8), buffer.duplicate().limit(0),
                    buffer.asReadOnlyBuffer(), buffer.slice(0, 0), ForeignMemory.view(block(10).buffer(), arena))) {
                assertEquals(Memory.COPY, memory.address(each));
                assertEquals(Memory.COPY, memory.sharedAddress(each));
            }
        }
    }

    @Test
    void memoryOfArenasThatAreNeverClosedIsAccessedInPlace() throws Exception {
        ForeignMemory.assumeThere();
        for (String kind : List.of("global", "ofAuto")) {
            ByteBuffer buffer = ForeignMemory.buffer(ForeignMemory.arena(kind));
            long address = memory.address(buffer);
            assertTrue(address > 0, kind);
            assertEquals(address, memory.sharedAddress(buffer));
            assertEquals(address + 8, memory.sharedAddress(buffer.slice(8, 8)));
        }
    }

    @Test
    void memoryThatIsNeverFreedLasts() throws Exception {
        assertTrue(memory.lasts(ByteBuffer.allocateDirect(8)));
        assertTrue(memory.lasts(memory.allocateBuffer(8).slice(1, 2)));
        if (ForeignMemory.isThere()) {
            for (String kind : List.of("global", "ofAuto")) {
                assertTrue(memory.lasts(ForeignMemory.buffer(ForeignMemory.arena(kind))), kind);
            }
            for (String kind : List.of("ofConfined", "ofShared")) {
                try (AutoCloseable arena = ForeignMemory.arena(kind)) {
                    assertFalse(memory.lasts(ForeignMemory.buffer(arena)), kind);
                }
            }
        }
        MemoryBlock block = block(8);
        ByteBuffer view = block.buffer().slice(1, 2);
        if (memory.lasts(view)) {
            view.put(0, (byte) 5);
            block.close();
            assertEquals(5, view.get(0));
        } else {
            block.close();
            assertThrows(IllegalStateException.class, () -> view.get(0));
        }
    }

    @Test
    void addressRefusesWhatHasBeenFreed() throws Exception {
        ForeignMemory.assumeThere();
        AutoCloseable arena = ForeignMemory.arena("ofShared");
        ByteBuffer buffer = ForeignMemory.buffer(arena);
        ByteBuffer full = buffer.slice(10, 0);
        arena.close();
        for (ByteBuffer freed : List.of(buffer, buffer.asReadOnlyBuffer(), full)) {
            String message = assertThrows(IllegalStateException.class, () -> memory.address(freed)).getMessage();
            assertTrue(message.contains("freed"), message);
            assertThrows(IllegalStateException.class, () -> memory.sharedAddress(freed));
        }
    }

    @Test
    void addressRefusesWhatIsConfinedToAnotherThread() throws Exception {
        ForeignMemory.assumeThere();
        try (AutoCloseable arena = ForeignMemory.arena("ofConfined")) {
            ByteBuffer confined = ForeignMemory.buffer(arena);
            assertTrue(memory.address(confined) > 0, "its own thread may");
            Throwable refusal = CompletableFuture.supplyAsync(() -> memory.address(confined))
                    .handle((address, failure) -> failure.getCause())
                    .join();
            assertEquals(IllegalStateException.class, refusal.getClass());
            assertTrue(refusal.getMessage().contains("confined"), refusal::getMessage);
            String message =
                    assertThrows(IllegalStateException.class, () -> memory.sharedAddress(confined)).getMessage();
            assertTrue(message.contains("confined") && message.contains("allocateDirect"), message);
        }
    }

    @Test
    void wrappedMemoryIsTheSameMemory() {
        MemoryBlock whole = block(100);
        try (MemoryBlock part = memory.wrap(whole.address() + 20, 30, () -> { })) {
            assertEquals(whole.address() + 20, part.address());
            assertEquals(part.address(), memory.address(part.buffer()));
            assertEquals(30, part.buffer().capacity());
            assertEquals(ByteOrder.nativeOrder(), part.buffer().order());
            part.buffer().putLong(22, FAR);
            assertEquals(FAR, whole.buffer().getLong(42));
        }
    }

    @Test
    void wrappedMemoryIsReleasedOnceWhenItIsClosedAndOutOfReach() throws InterruptedException {
        AtomicInteger released = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        wrapAndClose(block(8).address(), () -> {
            released.incrementAndGet();
            release.countDown();
        });
        for (int i = 0; i < 500 && release.getCount() > 0; i++) {
            System.gc();
            assertTrue(release.await(20, TimeUnit.MILLISECONDS) || i < 499, "never released");
        }
        assertEquals(1, released.get());
    }

    /** A size that is none stands in for a lack of memory. */
    @Test
    void whatCannotBeWrappedIsReleasedOnce() {
        AtomicInteger released = new AtomicInteger();
        long address = block(8).address();
        long before = MemoryBlock.openBytes();
        assertThrows(IllegalArgumentException.class, () -> memory.wrap(address, -1, released::incrementAndGet));
        assertEquals(1, released.get());
        assertEquals(before, MemoryBlock.openBytes());
    }

    // Apart, so that no local variable keeps the block reachable.
    private void wrapAndClose(long address, Runnable release) {
        MemoryBlock block = memory.wrap(address, 8, release);
        block.close();
        block.close();
    }
}
