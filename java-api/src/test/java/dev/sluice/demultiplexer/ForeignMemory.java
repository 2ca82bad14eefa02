package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;

/** Arenas and their buffers. By reflection, because the tests are compiled for Java 17. */
public final class ForeignMemory {

    private static final long SIZE = 64;

    private ForeignMemory() {
    }

    /** Skips the test where it makes no difference where a buffer comes from. */
    public static void assumeUsable() {
        assumeTrue(Bindings.current().name().equals("ffm"), "buffers of arenas can be told apart under ffm only");
    }

    /** {@return a new arena, by the name of the method that makes it} */
    public static AutoCloseable arena(String kind) throws Exception {
        return (AutoCloseable) Class.forName("java.lang.foreign.Arena").getMethod(kind).invoke(null);
    }

    /** {@return a buffer of 64 bytes in an arena} */
    public static ByteBuffer buffer(AutoCloseable arena) throws Exception {
        Method allocate = Class.forName("java.lang.foreign.SegmentAllocator").getMethod("allocate", long.class);
        Object segment = allocate.invoke(arena, SIZE);
        return (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer").invoke(segment);
    }
}
