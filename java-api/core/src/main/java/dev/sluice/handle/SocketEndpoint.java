package dev.sluice.handle;

import static dev.sluice.calls.layout.SocketConstants.AF_INET;
import static dev.sluice.calls.layout.SocketConstants.AF_UNIX;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import dev.sluice.system.SystemSocketOption;
import java.io.Closeable;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.util.Objects;

/** What all sockets share: a handle, a family, a local address, and options. */
abstract sealed class SocketEndpoint implements Closeable permits SocketStream, SocketAcceptor, SocketDatagram {

    final OperatingSystem system;
    final Memory memory;
    final Descriptor descriptor;
    final int family;

    SocketEndpoint(Handle handle, int family) {
        this.descriptor = handle.descriptor;
        this.family = family;
        this.system = descriptor.system();
        this.memory = descriptor.binding().memory();
    }

    /** {@return the handle, which this socket owns} */
    public final Handle handle() {
        return descriptor.handle();
    }

    /**
     * {@return the local address; port 0 or the empty path if the socket is not bound}
     *
     * @throws HandleClosedException if the socket is closed
     */
    public final SocketAddress localAddress() throws IOException {
        return address(true);
    }

    final SocketAddress address(boolean local) throws IOException {
        try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
            scratch.memory().putInt(Scratch.LENGTH, SockaddrStorage.SIZE);
            long fd = descriptor.acquire();
            try {
                if (local) {
                    check("getsockname", system.getsockname(fd, family, scratch));
                } else {
                    check("getpeername", system.getpeername(fd, scratch));
                }
            } finally {
                descriptor.release();
            }
            return SocketAddresses.read(scratch.memory(), Scratch.ADDRESS, scratch.memory().getInt(Scratch.LENGTH));
        }
    }

    /**
     * Sets an option.
     *
     * @param option one of {@link NativeSocketOptions} or of {@link java.net.StandardSocketOptions}
     * @param value  its value
     * @param <T>    the type of the value
     * @throws UnsupportedOperationException if the option is not one of {@link NativeSocketOptions}
     * @throws SystemCallException           if the system refuses it, such as {@code ENOPROTOOPT} where it does not
     *                                       apply
     */
    public final <T> void setOption(SocketOption<T> option, T value) throws IOException {
        SystemSocketOption<?> known = NativeSocketOptions.resolve(option);
        Objects.requireNonNull(value, option.name());
        try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
            int size = Integer.BYTES;
            if (isLinger(known)) {
                size = system.writeLinger(scratch.memory(), Scratch.VALUE, (Integer) value);
            } else {
                scratch.memory().putInt(Scratch.VALUE, value instanceof Boolean on ? (on ? 1 : 0) : (Integer) value);
            }
            int result = setOption(known, scratch, size);
            if (result < 0) {
                throw new SystemCallException("setsockopt " + option.name() + "=" + value, handle(), result);
            }
        }
    }

    private int setOption(SystemSocketOption<?> option, Scratch scratch, int size) throws IOException {
        long fd = descriptor.acquire();
        try {
            return system.setsockopt(fd, option, scratch.address(Scratch.VALUE), size);
        } finally {
            descriptor.release();
        }
    }

    private static boolean isLinger(SystemSocketOption<?> option) {
        return option.number() == SocketConstants.SO_LINGER && option.level() == SocketConstants.SOL_SOCKET;
    }

    /**
     * Reads an option.
     *
     * @param option one of {@link NativeSocketOptions} or of {@link java.net.StandardSocketOptions}
     * @param <T>    the type of the value
     * @return its value
     * @throws UnsupportedOperationException if the option is not one of {@link NativeSocketOptions}
     * @throws SystemCallException           if the system refuses it
     */
    public final <T> T getOption(SocketOption<T> option) throws IOException {
        SystemSocketOption<?> known = NativeSocketOptions.resolve(option);
        int value = rawOption(known);
        return known.type() == Boolean.class ? option.type().cast(value != 0) : option.type().cast(value);
    }

    private int rawOption(SystemSocketOption<?> option) throws IOException {
        try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
            scratch.memory().putInt(Scratch.VALUE, 0);
            scratch.memory().putInt(Scratch.LENGTH, Scratch.VALUE_SIZE);
            long fd = descriptor.acquire();
            try {
                check("getsockopt " + option.name(), system.getsockopt(fd, option, scratch.address(Scratch.VALUE),
                        scratch.address(Scratch.LENGTH)));
            } finally {
                descriptor.release();
            }
            return isLinger(option)
                    ? system.readLinger(scratch.memory(), Scratch.VALUE)
                    : scratch.memory().getInt(Scratch.VALUE);
        }
    }

    final void check(String call, long result) throws SystemCallException {
        if (result < 0) {
            throw new SystemCallException(call, handle(), result);
        }
    }

    final void bindTo(SocketAddress address) throws IOException {
        try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
            int length = SocketAddresses.write(address, family, scratch.memory(), Scratch.ADDRESS);
            long fd = descriptor.acquire();
            try {
                int result = system.bind(fd, scratch.address(Scratch.ADDRESS), length);
                if (result < 0) {
                    throw new SystemCallException("bind", SocketAddresses.show(address), result);
                }
            } finally {
                descriptor.release();
            }
        }
    }

    static int family(ProtocolFamily family) {
        if (family == StandardProtocolFamily.INET) {
            return AF_INET;
        }
        if (family == StandardProtocolFamily.INET6) {
            return OperatingSystem.current().inet6();
        }
        if (family == StandardProtocolFamily.UNIX) {
            return AF_UNIX;
        }
        throw new UnsupportedOperationException("protocol family " + family);
    }

    static Handle openSocket(int family, int type, String subject) throws IOException {
        StackReserve.requireForOpening();
        Binding binding = Bindings.current();
        long fd = OperatingSystem.of(binding).openSocket(family, type);
        if (fd < 0) {
            throw new SystemCallException("socket", subject, fd);
        }
        return Handle.owning(binding, fd, true, subject);
    }

    /** The protocol, for messages. */
    static String protocol(int family, int type) {
        boolean stream = type == SocketConstants.SOCK_STREAM;
        return family == AF_UNIX ? (stream ? "unix" : "unix-datagram") : (stream ? "tcp" : "udp");
    }

    static boolean wouldBlock(long result) {
        return Errno.EAGAIN.is(result);
    }

    static void requireWritable(ByteBuffer destination) {
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("the buffer to receive into is read-only");
        }
    }

    /** Closes the handle. Closing again does nothing; other threads that wait on the socket are woken. */
    @Override
    public final void close() {
        descriptor.close();
    }

    /** {@return the protocol, the addresses and the descriptor} */
    @Override
    public final String toString() {
        return descriptor.toString();
    }
}
