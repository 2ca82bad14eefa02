package dev.sluice.handle.spi;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OpenOptions;
import java.io.Closeable;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;

/**
 * Returns the descriptors of handles, and creates handles for descriptors: for demultiplexers, loops and pools.
 * Programs cannot call it, because this package is not exported to them.
 */
public final class Descriptors {

    /** The methods of the handles' package that this class calls. */
    public interface Access {

        /** As {@link Descriptors#of}. */
        Descriptor of(Handle handle);

        /** As {@link Descriptors#adoptFile}. */
        FileHandle adoptFile(long number, Path path, OpenOptions options) throws SystemCallException;

        /** As {@link Descriptors#status}. */
        PosixFileAttributes status(ByteBuffer scratch);

        /** As {@link Descriptors#lock}. */
        Closeable lock(Descriptor file, long position, long length);

        /** As {@link Descriptors#adoptConnection}. */
        SocketStream adoptConnection(SocketAcceptor acceptor, long number);
    }

    private static volatile Access access;

    private Descriptors() {
    }

    /**
     * Called once, by the static initializer of {@link Handle}.
     *
     * @param granted the methods
     * @throws IllegalStateException if access has been granted already
     */
    public static void grant(Access granted) {
        if (access != null) {
            throw new IllegalStateException("access has been granted already");
        }
        access = granted;
    }

    /** Returns the access. Initializes {@link Handle}, which grants it, if no handle has been created yet. */
    private static Access initialized() {
        if (access == null) {
            try {
                MethodHandles.lookup().ensureInitialized(Handle.class);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        return access;
    }

    /** {@return the descriptor of a handle, which never changes} */
    public static Descriptor of(Handle handle) {
        return access.of(handle);
    }

    /**
     * Takes over a file that the system has opened.
     *
     * @param number  the descriptor, closed on exec; it belongs to the file from now on
     * @param path    for messages
     * @param options the options that it was opened with
     * @return the file; if this throws, also for lack of memory, the descriptor is closed
     * @throws SystemCallException if it does not support the direct access that the options require
     */
    public static FileHandle adoptFile(long number, Path path, OpenOptions options) throws SystemCallException {
        return initialized().adoptFile(number, path, options);
    }

    /**
     * {@return the attributes of a file}
     *
     * @param scratch the memory of a {@link dev.sluice.system.Scratch} in which the system has stored them
     */
    public static PosixFileAttributes status(ByteBuffer scratch) {
        return initialized().status(scratch);
    }

    /**
     * {@return the lock of a range, which closing it ends; the caller makes the call that locks the range}
     *
     * @param file     the descriptor of the file
     * @param position the first byte
     * @param length   the number of bytes, as {@link dev.sluice.system.RangeCall#lockedLength} returns it
     */
    public static Closeable lock(Descriptor file, long position, long length) {
        return access.lock(file, position, length);
    }

    /**
     * Takes over a connection that the system has accepted on an acceptor.
     *
     * @param acceptor the acceptor
     * @param number   the descriptor, non-blocking and closed on exec; it belongs to the stream from now on
     * @return the stream; if there is no memory for it, the descriptor is closed
     */
    public static SocketStream adoptConnection(SocketAcceptor acceptor, long number) {
        return access.adoptConnection(acceptor, number);
    }
}
