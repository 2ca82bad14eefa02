package dev.sluice.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.calls.WindowsError;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * The memory in which a downcall stores the error number: a segment per thread, because the JVM itself may overwrite
 * the system's error number after the call.
 */
final class CallState {

    private static final boolean WINDOWS = Platform.CURRENT.os() == Platform.Os.WINDOWS;

    // Winsock's WSAGetLastError reads what GetLastError reads, so one of them suffices for all Windows calls.
    private static final String ERROR = WINDOWS ? "GetLastError" : "errno";

    static final Linker.Option CAPTURE = Linker.Option.captureCallState(ERROR);

    /** The error of a function that the system does not have. */
    static final int NOT_IMPLEMENTED = WINDOWS ? WindowsError.ERROR_CALL_NOT_IMPLEMENTED : Errno.ENOSYS.number();

    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long OFFSET = LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement(ERROR));

    /**
     * The segment of the calling thread. It is of an automatic arena, which has no cost per call and need not be
     * closed.
     */
    static final ThreadLocal<MemorySegment> CURRENT =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(LAYOUT));
    /**
     * The segment for calls whose error number is not read, which needs no memory even for the first call of a thread.
     */
    static final MemorySegment UNREAD = Arena.global().allocate(LAYOUT);

    private CallState() {
    }

    static int negatedError() {
        return -CURRENT.get().get(JAVA_INT, OFFSET);
    }
}
