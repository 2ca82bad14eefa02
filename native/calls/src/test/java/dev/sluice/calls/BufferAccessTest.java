package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the binding refuses that would give the address of any buffer. */
@Tag(Depth.IN_QUICK)
class BufferAccessTest {

    @Test
    void heapBufferIsRefused() {
        BufferAccess.require(ByteBuffer.allocateDirect(0));
        assertThrows(IllegalArgumentException.class, () -> BufferAccess.require(ByteBuffer.allocate(1)));
    }

    @Test
    void freedMemoryIsRefused() throws Exception {
        ForeignMemory.assumeThere();
        AutoCloseable arena = ForeignMemory.arena("ofShared");
        ByteBuffer buffer = ForeignMemory.buffer(arena);
        BufferAccess.require(buffer);
        arena.close();
        String message = assertThrows(IllegalStateException.class, () -> BufferAccess.require(buffer)).getMessage();
        assertTrue(message.startsWith("the buffer's memory has been freed"), message);
    }
}
