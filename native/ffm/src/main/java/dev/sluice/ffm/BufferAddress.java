package dev.sluice.ffm;

import dev.sluice.calls.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;

/**
 * Finds the address of a direct buffer. The API gives it only through a {@code MemorySegment} made for the purpose,
 * which the compiler eliminates if it compiles all that is done with it together. That is sure only of a handle that is
 * no constant, as {@link ForeignFunction} explains: where it would be inlined, in a caller that is deep already, each
 * message may cost 120 bytes.
 */
final class BufferAddress {

    // Of an object, since a static one would be a constant.
    private final MethodHandle finding;
    private final LastingBuffers lasting = new LastingBuffers();

    BufferAddress() {
        try {
            finding = MethodHandles.lookup().findStatic(BufferAddress.class, "find",
                    MethodType.methodType(long.class, ByteBuffer.class, Thread.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /**
     * {@return the address of index 0, or {@link Memory#COPY} if a program could free the memory while it is used}
     *
     * @param user the thread that will use the memory
     * @throws IllegalStateException if the memory has been freed, or belongs to another thread's arena
     */
    long of(ByteBuffer direct, Thread user) {
        try {
            long address = (long) finding.invokeExact(direct, user);
            return lasting.contains(direct) ? address : Memory.COPY;
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    private static long find(ByteBuffer direct, Thread user) {
        MemorySegment segment = MemorySegment.ofBuffer(direct);
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the buffer's memory has been freed: " + direct);
        }
        if (!segment.isAccessibleBy(user)) {
            throw new IllegalStateException("the buffer is confined to one thread's arena, and of no use without that"
                    + " thread; take a buffer of a shared arena, or one that ByteBuffer.allocateDirect has made: "
                    + direct);
        }
        return segment.address() - direct.position();
    }
}
