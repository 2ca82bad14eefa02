package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.system.OperatingSystem;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongUnaryOperator;

/** Base class of the wrapper facades that own a handle: its descriptor, and calls on it. */
abstract sealed class Facade implements Closeable permits SocketEndpoint, OpenFile, DirectoryHandle, Inotify {

    final Descriptor descriptor;
    final OperatingSystem system;

    Facade(Handle handle) {
        this.descriptor = handle.descriptor;
        this.system = descriptor.system();
    }

    /** {@return the handle, which belongs to this object} */
    public final Handle handle() {
        return descriptor.handle();
    }

    /** Makes a call on the descriptor, again if it is interrupted, and returns its result. */
    final long call(LongUnaryOperator call) throws IOException {
        long fd = descriptor.acquire();
        try {
            long result;
            do {
                result = call.applyAsLong(fd);
            } while (result < 0 && Errno.EINTR.is(result));
            return result;
        } finally {
            descriptor.release();
        }
    }

    /** Makes a call on the descriptor as {@link #call(LongUnaryOperator)} does, and throws if it fails. */
    final long call(String name, LongUnaryOperator call) throws IOException {
        return check(name, call(call));
    }

    final long check(String call, long result) throws SystemCallException {
        if (result < 0) {
            throw new SystemCallException(call, handle(), result);
        }
        return result;
    }

    /** Closes the handle, and wakes other threads that wait on it. Closing again does nothing. */
    @Override
    public final void close() {
        descriptor.close();
    }

    /** {@return a description for messages, such as the protocol, the address and the descriptor} */
    @Override
    public final String toString() {
        return descriptor.toString();
    }
}
