package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BufferAddressesTest {

    private static final int ROUNDS = 20;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @Test
    void addressesAreRightHoweverBuffersTakeTurns() {
        ByteBuffer[] buffers = new ByteBuffer[5];
        long[] addresses = new long[buffers.length];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocateDirect(64);
            addresses[i] = MemorySegment.ofBuffer(buffers[i]).address();
        }
        for (int inTurn = 1; inTurn <= buffers.length; inTurn++) {
            for (int round = 0; round < ROUNDS; round++) {
                int i = round % inTurn;
                assertEquals(addresses[i], BufferAddresses.of(buffers[i].position(round)), inTurn + " in turn");
            }
        }
    }

    @Test
    void slicesAreBuffersOfTheirOwn() {
        ByteBuffer whole = ByteBuffer.allocateDirect(64);
        ByteBuffer slice = whole.slice(16, 8);
        for (int round = 0; round < ROUNDS; round++) {
            assertEquals(BufferAddresses.of(whole) + 16, BufferAddresses.of(slice));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, ROUNDS})
    void buffersAreCollectedHoweverOftenTheyWereUsed(int uses) throws Exception {
        List<WeakReference<ByteBuffer>> used = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            used.add(new WeakReference<>(used(uses)));
        }
        long start = System.nanoTime();
        while (used.stream().anyMatch(reference -> reference.get() != null)) {
            assertTrue(System.nanoTime() - start < PATIENCE_NANOS, "still reachable after " + uses + " uses");
            System.gc();
            Thread.sleep(10);
        }
    }

    private static ByteBuffer used(int uses) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        for (int round = 0; round < uses; round++) {
            BufferAddresses.of(buffer);
        }
        return buffer;
    }

    @Test
    void addressIsRightAfterACollectionToo() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(64);
            ByteBuffer ofArena = segment.asByteBuffer();
            ByteBuffer collected = ByteBuffer.allocateDirect(64);
            long address = MemorySegment.ofBuffer(collected).address();
            for (int collection = 0; collection < 3; collection++) {
                for (int round = 0; round < ROUNDS; round++) {
                    assertEquals(segment.address(), BufferAddresses.of(ofArena));
                    assertEquals(address, BufferAddresses.of(collected));
                }
                System.gc();
            }
        }
    }

    @Test
    void rememberedBufferIsRefusedOnceItsMemoryIsFreed() {
        ByteBuffer buffer;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(64);
            buffer = segment.asByteBuffer();
            for (int round = 0; round < ROUNDS; round++) {
                assertEquals(segment.address(), BufferAddresses.of(buffer));
            }
        }
        assertThrows(IllegalStateException.class, () -> BufferAddresses.of(buffer));
    }
}
