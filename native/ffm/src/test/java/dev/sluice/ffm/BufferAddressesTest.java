package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BufferAddressesTest {

    private static final int ROUNDS = 20;

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
