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
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;

/**
 * The papers' Handle: owns one descriptor of the operating system, from its opening to its closing.
 *
 * <p>The system may reuse a descriptor number as soon as the descriptor is closed. So the descriptor stays open while a
 * thread is inside a call on it, and while an event loop or pool has the handle registered. It is closed when the
 * handle has been closed <em>and</em> the last of these users has released it.
 *
 * <p>All methods may be called from any thread.
 */
public final class Handle implements Closeable {

    /**
     * A system call that the program makes itself.
     *
     * @param <R> the type of its result
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

    /** Methods for the internal packages, which programs must not call. */
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
        public PosixFileAttributes status(ByteBuffer scratch) {
            return FileStatus.of(scratch);
        }

        @Override
        public Closeable lock(Descriptor file, long position, long length) {
            return new RangeLock(file, position, length);
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

    /**
     * As {@link #owning(Binding, long, boolean, String)}. Converting the subject to text, which may run out of memory,
     * is covered as well.
     */
    static Handle owning(Binding binding, long number, boolean isSocket, FileUse use, Object subject) {
        try {
            return new Handle(binding, number, isSocket, use, subject.toString());
        } catch (Throwable e) {
            OperatingSystem.of(binding).close(number, isSocket);
            throw e;
        }
    }

    /**
     * Makes a system call of the program on the descriptor, which stays open until the call has returned, even if
     * another thread closes the handle.
     *
     * @param call the call
     * @param <R>  the type of its result
     * @return the result of the call
     * @throws HandleClosedException if the handle is closed
     * @throws IOException           if the call throws it
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
     * Rejects new calls from now on, ends the registration of the handle and the waits of other threads, and closes the
     * descriptor; if other threads are inside a call, the last of them closes it. Closing again only repeats steps for
     * which there was no memory before.
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
