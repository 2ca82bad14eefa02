package dev.sluice.handle.spi;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OpenOptions;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;

/**
 * Hands out the descriptors of handles, and makes handles of descriptors: for demultiplexers, loops and pools. Programs
 * cannot call it, since this package is not exported to them, and the handles have no such methods.
 */
public final class Descriptors {

    /** What the package of the handles lets this one do. */
    public interface Access {

        /** As {@link Descriptors#of}. */
        Descriptor of(Handle handle);

        /** As {@link Descriptors#adoptFile}. */
        FileHandle adoptFile(long number, Path path, OpenOptions options) throws SystemCallException;

        /** As {@link Descriptors#adoptConnection}. */
        SocketStream adoptConnection(SocketAcceptor acceptor, long number);
    }

    private static volatile Access access;

    private Descriptors() {
    }

    /**
     * Called by the class of the handles when it is initialized.
     *
     * @param granted what may be done
     * @throws IllegalStateException if that has been said before
     */
    public static void grant(Access granted) {
        if (access != null) {
            throw new IllegalStateException("access has been granted already");
        }
        access = granted;
    }

    /** Initializes {@link Handle}, which grants the access, if no handle has been made yet. */
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

    /** {@return what a handle holds; the same for the handle's whole life} */
    public static Descriptor of(Handle handle) {
        return access.of(handle);
    }

    /**
     * Takes over a file that the system has opened.
     *
     * @param number  the descriptor, closed on exec; it belongs to the file from now on
     * @param path    for messages
     * @param options the options it was opened with
     * @return the file; if this throws, also for lack of memory, the descriptor is closed
     * @throws SystemCallException if it cannot be accessed directly, as the options ask for
     */
    public static FileHandle adoptFile(long number, Path path, OpenOptions options) throws SystemCallException {
        return initialized().adoptFile(number, path, options);
    }

    /**
     * Takes over a connection that the system has accepted on an acceptor.
     *
     * @param acceptor the acceptor
     * @param number   the descriptor, non-blocking and closed on exec; it belongs to the stream from now on
     * @return the stream; if this throws, for lack of memory, the descriptor is closed
     */
    public static SocketStream adoptConnection(SocketAcceptor acceptor, long number) {
        return access.adoptConnection(acceptor, number);
    }
}
