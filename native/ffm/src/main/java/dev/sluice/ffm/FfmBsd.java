package dev.sluice.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.calls.Bsd;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Platform.Os;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** {@link Bsd} over {@code java.lang.foreign}. */
final class FfmBsd implements Bsd {

    private static final SymbolLookup KQUEUE_LIBRARY = KqueueLibrary.file().map(FfmBsd::open)
            .orElseGet(CFunctions::cLibrary);

    private static final MethodHandle KQUEUE = CFunctions.function(KQUEUE_LIBRARY, "kqueue",
            FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle KEVENT = CFunctions.function(KQUEUE_LIBRARY, "kevent",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle ACCEPT4 = CFunctions.function("accept4",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PIPE2 = CFunctions.function("pipe2",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SENDFILE_OF_MACOS = CFunctions.function(only(Os.MACOS), "sendfile",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SENDFILE_OF_FREEBSD = CFunctions.function(only(Os.FREEBSD), "sendfile",
            FunctionDescriptor.of(JAVA_INT,
                    JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));

    private static SymbolLookup open(String file) {
        return SymbolLookup.libraryLookup(file, Arena.global());
    }

    // Another system's function of the name would be called with the wrong arguments.
    private static SymbolLookup only(Os os) {
        return Platform.CURRENT.os() == os ? CFunctions.cLibrary() : CFunctions.nowhere();
    }

    @Override
    public int kqueue() {
        try {
            MemorySegment state = CallState.current();
            int result = (int) KQUEUE.invokeExact(state);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int kevent(int kq, long changes, int changeCount, long events, int eventCount, long timeout) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) KEVENT.invokeExact(state, kq, changes, changeCount, events, eventCount, timeout);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int accept4(int fd, long address, long addressLength, int flags) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) ACCEPT4.invokeExact(state, fd, address, addressLength, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) PIPE2.invokeExact(state, descriptors, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int sendfile(int file, int socket, long offset, long length, long header, int flags) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) SENDFILE_OF_MACOS.invokeExact(state, file, socket, offset, length, header, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }

    @Override
    public int sendfile(int file, int socket, long offset, long count, long header, long sent, int flags) {
        try {
            MemorySegment state = CallState.current();
            int result = (int) SENDFILE_OF_FREEBSD.invokeExact(state, file, socket, offset, count, header, sent, flags);
            return result != -1 ? result : CallState.negatedErrno(state);
        } catch (Throwable e) {
            throw CFunctions.unexpected(e);
        }
    }
}
