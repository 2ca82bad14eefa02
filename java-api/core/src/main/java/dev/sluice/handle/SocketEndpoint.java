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
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import dev.sluice.system.SystemSocketOption;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.util.Objects;

/** Base class of all sockets: a handle, a family, a local address, and options. */
abstract sealed class SocketEndpoint extends Facade permits SocketStream, SocketAcceptor, SocketDatagram {

    /** A call that takes an address. */
    @FunctionalInterface
    interface AddressCall {
        int invoke(long socket, long address, int addressLength);
    }

    final Memory memory;
    final int family;

    SocketEndpoint(Handle handle, int family) {
        super(handle);
        this.family = family;
        this.memory = descriptor.binding().memory();
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
            if (local) {
                call("getsockname", fd -> system.getsockname(fd, family, scratch));
            } else {
                call("getpeername", fd -> system.getpeername(fd, scratch));
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
     * @throws SystemCallException           if the system rejects it, such as {@code ENOPROTOOPT} for an option that
     *                                       does not apply to this socket
     */
    public final <T> void setOption(SocketOption<T> option, T value) throws IOException {
        SystemSocketOption<?> known = NativeSocketOptions.resolve(option);
        Objects.requireNonNull(value, option.name());
        try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
            int number = value instanceof Boolean on ? (on ? 1 : 0) : (Integer) value;
            scratch.memory().putInt(Scratch.VALUE, number);
            int size = isLinger(known) ? system.writeLinger(scratch.memory(), Scratch.VALUE, number) : Integer.BYTES;
            call("setsockopt " + option.name() + "=" + value,
                    fd -> system.setsockopt(fd, known, scratch.address(Scratch.VALUE), size));
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
     * @throws SystemCallException           if the system rejects it
     */
    public final <T> T getOption(SocketOption<T> option) throws IOException {
        SystemSocketOption<?> known = NativeSocketOptions.resolve(option);
        try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
            scratch.memory().putInt(Scratch.VALUE, 0);
            scratch.memory().putInt(Scratch.LENGTH, Scratch.VALUE_SIZE);
            call("getsockopt " + known.name(), fd -> system.getsockopt(fd, known, scratch.address(Scratch.VALUE),
                    scratch.address(Scratch.LENGTH)));
            int value = isLinger(known)
                    ? system.readLinger(scratch.memory(), Scratch.VALUE)
                    : scratch.memory().getInt(Scratch.VALUE);
            return known.type() == Boolean.class ? option.type().cast(value != 0) : option.type().cast(value);
        }
    }

    /**
     * Makes a call with an address; the exception for a failure names it.
     *
     * @return 0, or the error {@code EINPROGRESS}
     */
    final long call(String name, SocketAddress address, AddressCall call) throws IOException {
        try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
            int length = SocketAddresses.write(address, family, scratch.memory(), Scratch.ADDRESS);
            long result = call(fd -> call.invoke(fd, scratch.address(Scratch.ADDRESS), length));
            if (result < 0 && !Errno.EINPROGRESS.is(result)) {
                throw new SystemCallException(name, SocketAddresses.show(address), result);
            }
            return result;
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

    /** Returns the name of the protocol, for messages. */
    static String protocol(int family, int type) {
        boolean stream = type == SocketConstants.SOCK_STREAM;
        return family == AF_UNIX ? (stream ? "unix" : "unix-datagram") : (stream ? "tcp" : "udp");
    }

    static boolean wouldBlock(long result) {
        return result < 0 && Errno.EAGAIN.is(result);
    }
}
