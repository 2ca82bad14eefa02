package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.handle.spi.FileUse;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The papers' Handle: owns one descriptor of the operating system, from the moment it was opened until it is closed.
 *
 * <p>The system may reuse the number of a descriptor as soon as that is closed. So the descriptor stays open while any
 * thread is inside a call on it, or an event loop or pool has the handle registered; it is closed when the handle has
 * been closed <em>and</em> the last of them has let go.
 *
 * <p>All methods may be called from any thread.
 */
public final class Handle implements Closeable {

    /**
     * A system call of the program's own.
     *
     * @param <R> what it returns
     */
    @FunctionalInterface
    public interface Call<R> {

        /**
         * Makes the call.
         *
         * @param descriptor the descriptor, which the call neither closes nor keeps
         * @return the result
         * @throws IOException if it fails
         */
        R on(long descriptor) throws IOException;
    }

    static {
        Descriptors.grant(new Access());
    }

    final Descriptor descriptor;

    Handle(Binding binding, long number, boolean isSocket, FileUse use, String subject) {
        this.descriptor = new Descriptor(this, binding, number, isSocket, use, subject);
    }

    /** What those need that users of a handle must not call. */
    private static final class Access implements Descriptors.Access {

        @Override
        public Descriptor of(Handle handle) {
            return handle.descriptor;
        }

        @Override
        public FileHandle adoptFile(long number, Path path, OpenOptions options) throws SystemCallException {
            return FileHandle.adopt(Bindings.current(), number, path, options);
        }

        @Override
        public SocketStream adoptConnection(SocketAcceptor acceptor, long number) {
            return acceptor.adopt(number);
        }
    }

    /** Creates a handle for a new descriptor, and closes the descriptor if there is no memory for the handle. */
    static Handle owning(Binding binding, long number, boolean isSocket, String subject) {
        return owning(binding, number, isSocket, FileUse.NONE, subject);
    }

    /** As {@link #owning(Binding, long, boolean, String)}; a path is turned into text where there may be no memory. */
    static Handle owning(Binding binding, long number, boolean isSocket, FileUse use, Object subject) {
        try {
            return new Handle(binding, number, isSocket, use, subject.toString());
        } catch (Throwable e) {
            OperatingSystem.of(binding).close(number, isSocket);
            throw e;
        }
    }

    /**
     * Makes a system call of the program's own on the descriptor. It stays open until the call has returned, even if
     * the handle is closed meanwhile.
     *
     * @param call the call
     * @param <R>  what it returns
     * @return what it has returned
     * @throws HandleClosedException if the handle is closed
     * @throws IOException           what the call throws
     */
    public <R> R withDescriptor(Call<R> call) throws IOException {
        Objects.requireNonNull(call, "call");
        long number = descriptor.acquire();
        try {
            return call.on(number);
        } finally {
            descriptor.release();
        }
    }

    /** {@return whether the handle has not been closed} */
    public boolean isOpen() {
        return descriptor.isOpen();
    }

    /** {@return whether it is a socket} */
    public boolean isSocket() {
        return descriptor.isSocket();
    }

    /**
     * Refuses new calls from now on, ends what it is registered for and the waits of other threads, and closes the
     * descriptor, or leaves that to the last thread that is inside a call. Closing again does nothing, except what
     * there was no memory for before.
     */
    @Override
    public void close() {
        descriptor.close();
    }

    /** {@return for example {@code tcp 127.0.0.1:7007 (fd 12)}} */
    @Override
    public String toString() {
        return descriptor.toString();
    }
}
