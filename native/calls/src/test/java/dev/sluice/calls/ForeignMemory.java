package dev.sluice.calls;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Arenas and their buffers. By reflection, because the tests are compiled for Java 17. */
public final class ForeignMemory {

    private static final int FIRST_JAVA_WITH_ARENAS = 22;
    private static final long SIZE = 64;

    private ForeignMemory() {
    }

    /** {@return whether this Java has arenas} */
    public static boolean isThere() {
        return Runtime.version().feature() >= FIRST_JAVA_WITH_ARENAS;
    }

    /** Skips the test where there are no arenas. */
    public static void assumeThere() {
        assumeTrue(isThere(), "this Java has no arenas");
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

    /**
     * {@return a view of a direct buffer's memory that belongs to an arena} When the arena is closed, the view is of no
     * use any more, and the memory is still the buffer's: a test can look at what is written there.
     */
    public static ByteBuffer view(ByteBuffer direct, AutoCloseable arena) throws Exception {
        Class<?> segments = Class.forName("java.lang.foreign.MemorySegment");
        Object whole = segments.getMethod("ofBuffer", Buffer.class).invoke(null, direct);
        Object part = segments.getMethod("reinterpret", Class.forName("java.lang.foreign.Arena"), Consumer.class)
                .invoke(whole, arena, null);
        return (ByteBuffer) segments.getMethod("asByteBuffer").invoke(part);
    }
}
