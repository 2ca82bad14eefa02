package dev.sluice.calls;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;

/** Arenas and their buffers. By reflection, because the tests are compiled for Java 17. */
public final class ForeignMemory {

    private static final int FIRST_JAVA_WITH_ARENAS = 22;
    private static final long SIZE = 64;

    private ForeignMemory() {
    }

    /** Skips the test where there are no arenas. */
    public static void assumeThere() {
        assumeTrue(Runtime.version().feature() >= FIRST_JAVA_WITH_ARENAS, "this Java has no arenas");
    }

    /** Skips the test where a thread cannot tell that memory is confined to itself. */
    public static void assumeConfinementShows() {
        assumeTrue(Bindings.current().name().equals("ffm"), "what is confined to the caller shows under ffm only");
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
