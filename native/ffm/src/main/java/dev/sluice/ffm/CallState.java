package dev.sluice.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.sluice.calls.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** Where a downcall leaves {@code errno}: a segment per thread, because the JVM itself may overwrite errno after it. */
final class CallState {

    static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO = LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    // Freed with the thread: an automatic arena costs nothing per call and needs no one to close it.
    private static final ThreadLocal<MemorySegment> CURRENT =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(LAYOUT));

    private CallState() {
    }

    static MemorySegment current() {
        return CURRENT.get();
    }

    static int negatedErrno(MemorySegment state) {
        return -state.get(JAVA_INT, ERRNO);
    }

    static int setNotImplemented(MemorySegment state) {
        state.set(JAVA_INT, ERRNO, Errno.ENOSYS.number());
        return -1;
    }
}
