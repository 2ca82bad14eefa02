package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrIn;
import dev.sluice.calls.layout.SockaddrIn6;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.calls.layout.WinsockFdSet;
import dev.sluice.calls.layout.WinsockLinger;
import dev.sluice.calls.layout.WinsockTimeval;
import dev.sluice.calls.layout.Wsabuf;
import dev.sluice.calls.layout.Wsadata;
import dev.sluice.calls.layout.Wsapollfd;
import dev.sluice.deadline.Deadline;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongToIntFunction;

/** Windows, with the differences between Winsock and the Unix sockets that it is modelled on. */
final class WindowsSystem extends WindowsFiles {

    private static final int WINSOCK_2_2 = 0x0202;

    /** Maximum number of attempts to accept the connection of a pipe, as other processes may connect to the port. */
    private static final int MAX_PIPE_ACCEPTS = 100;
    /** Maximum time to wait for the connection of a pipe, which is refused if others fill the backlog. */
    private static final int PIPE_TIMEOUT_MILLIS = 10_000;

    /** Interval at which a wait checks whether its handle has been closed, since that does not end {@code WSAPoll}. */
    private static final int CLOSE_CHECK_MILLIS = 20;

    /** Prevents other processes from taking over a bound address, which SO_REUSEADDR allows on Windows. */
    private static final SystemSocketOption<Boolean> SO_EXCLUSIVEADDRUSE = new SystemSocketOption<>(
            "SO_EXCLUSIVEADDRUSE", Boolean.class, SocketConstants.SOL_SOCKET, WinsockConstants.SO_EXCLUSIVEADDRUSE);

    /** The numbers of the options that exist on Windows, by name. */
    private static final Map<String, Integer> OPTIONS = Map.ofEntries(
            Map.entry(SO_EXCLUSIVEADDRUSE.name(), WinsockConstants.SO_EXCLUSIVEADDRUSE),
            Map.entry("SO_REUSEADDR", WinsockConstants.SO_REUSEADDR),
            Map.entry("SO_KEEPALIVE", WinsockConstants.SO_KEEPALIVE),
            Map.entry("SO_BROADCAST", WinsockConstants.SO_BROADCAST),
            Map.entry("SO_OOBINLINE", WinsockConstants.SO_OOBINLINE),
            Map.entry("SO_SNDBUF", WinsockConstants.SO_SNDBUF),
            Map.entry("SO_RCVBUF", WinsockConstants.SO_RCVBUF),
            Map.entry("SO_LINGER", WinsockConstants.SO_LINGER),
            Map.entry("IP_TOS", WinsockConstants.IP_TOS),
            Map.entry("IP_TTL", WinsockConstants.IP_TTL),
            Map.entry("IPV6_V6ONLY", WinsockConstants.IPV6_V6ONLY),
            Map.entry("IPV6_TCLASS", WinsockConstants.IPV6_TCLASS),
            Map.entry("TCP_NODELAY", WinsockConstants.TCP_NODELAY),
            Map.entry("TCP_KEEPIDLE", WinsockConstants.TCP_KEEPIDLE),
            Map.entry("TCP_KEEPINTVL", WinsockConstants.TCP_KEEPINTVL),
            Map.entry("TCP_KEEPCNT", WinsockConstants.TCP_KEEPCNT),
            Map.entry("TCP_FASTOPEN", WinsockConstants.TCP_FASTOPEN));

    private final LongToIntFunction accepted = this::prepareAccepted;

    WindowsSystem(Binding binding) {
        super(binding);
        try (MemoryBlock data = memory.allocate(Wsadata.SIZE)) {
            int result = windows.WSAStartup(WINSOCK_2_2, data.address());
            if (result < 0) {
                throw new IllegalStateException("WSAStartup 2.2: " + Errno.describe(WindowsError.toErrno(result)));
            }
        }
    }

    // Sockets

    @Override
    public int inet6() {
        return WinsockConstants.AF_INET6;
    }

    @Override
    public long openSocket(int family, int type) {
        // Created before the socket, which would stay open if there were no memory for this afterwards.
        LongToIntFunction preparation = opened -> prepare(opened, family, type);
        long socket = windows.WSASocketW(family, type, 0, 0, 0,
                WinsockConstants.WSA_FLAG_OVERLAPPED | WinsockConstants.WSA_FLAG_NO_HANDLE_INHERIT);
        if (socket < 0) {
            return WindowsError.toErrno(socket);
        }
        return prepared(socket, preparation);
    }

    private int prepare(long socket, int family, int type) {
        int result = makeNonBlocking(socket);
        if (result >= 0 && family == WinsockConstants.AF_INET6) {
            // An IPv6 socket accepts IPv4 peers too, as is the default on Linux and macOS.
            try (Scratch scratch = Scratch.borrow(binding)) {
                scratch.memory().putInt(Scratch.VALUE, 0);
                result = WindowsError.toErrno(windows.setsockopt(socket, SocketConstants.IPPROTO_IPV6,
                        WinsockConstants.IPV6_V6ONLY, scratch.address(Scratch.VALUE), Integer.BYTES));
            }
        }
        if (result >= 0 && type == SocketConstants.SOCK_DGRAM) {
            result = reportUnreachable(socket, false);
        }
        return result;
    }

    /**
     * Sets whether a receive fails if a peer's host has rejected a datagram sent before. On Unix it does on a connected
     * socket; on one that is not connected, the error would affect receives from all peers.
     */
    private int reportUnreachable(long socket, boolean report) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            scratch.memory().putInt(Scratch.VALUE, report ? 1 : 0);
            return WindowsError.toErrno(windows.WSAIoctl(socket, WinsockConstants.SIO_UDP_CONNRESET,
                    scratch.address(Scratch.VALUE), Integer.BYTES, 0, 0, scratch.address(Scratch.LENGTH), 0, 0));
        }
    }

    @Override
    public long accept(long listener, long address, long addressLength) {
        long socket = windows.accept(listener, address, addressLength);
        if (socket == -WindowsError.WSAECONNRESET) {
            // The peer closed its connection before it was accepted, which is not an error of the listener.
            return -Errno.ECONNABORTED.number();
        }
        if (socket < 0) {
            return WindowsError.toErrno(socket);
        }
        return prepared(socket, accepted);
    }

    private int prepareAccepted(long socket) {
        // The socket inherits the effect of WSAEventSelect on the listener, and child processes would inherit the
        // socket.
        int result = WindowsError.toErrno(windows.WSAEventSelect(socket, 0, 0));
        if (result >= 0) {
            result = WindowsError.toErrno(
                    windows.SetHandleInformation(socket, Win32Constants.HANDLE_FLAG_INHERIT, 0));
        }
        return result < 0 ? result : makeNonBlocking(socket);
    }

    @Override
    public int bind(long socket, long address, int addressLength) {
        return WindowsError.toErrno(windows.bind(socket, address, addressLength));
    }

    @Override
    public int listen(long socket, int backlog) {
        return WindowsError.toErrno(windows.listen(socket, backlog));
    }

    @Override
    public int connect(long socket, long address, int addressLength) {
        int result = windows.connect(socket, address, addressLength);
        return result == -WindowsError.WSAEWOULDBLOCK ? -Errno.EINPROGRESS.number() : WindowsError.toErrno(result);
    }

    @Override
    public int connectDatagram(long socket, long address, int addressLength) {
        int result = WindowsError.toErrno(windows.connect(socket, address, addressLength));
        return result < 0 ? result : reportUnreachable(socket, true);
    }

    @Override
    public int takeError(long socket, Scratch scratch) {
        scratch.memory().putInt(Scratch.VALUE, 0).putInt(Scratch.LENGTH, Integer.BYTES);
        int result = windows.getsockopt(socket, WinsockConstants.SOL_SOCKET, WinsockConstants.SO_ERROR,
                scratch.address(Scratch.VALUE), scratch.address(Scratch.LENGTH));
        return WindowsError.toErrno(result < 0 ? result : -scratch.memory().getInt(Scratch.VALUE));
    }

    @Override
    public int getsockname(long socket, int family, Scratch scratch) {
        int result = windows.getsockname(socket, scratch.address(Scratch.ADDRESS), scratch.address(Scratch.LENGTH));
        if (result == -WindowsError.WSAEINVAL) {
            // The socket is not bound yet. On Unix it has an address nevertheless: the wildcard address and port 0.
            int size = family == WinsockConstants.AF_INET6 ? SockaddrIn6.SIZE : SockaddrIn.SIZE;
            for (int i = 0; i < size; i++) {
                scratch.memory().put(Scratch.ADDRESS + i, (byte) 0);
            }
            SockaddrStorage.family(scratch.memory(), Scratch.ADDRESS, family);
            scratch.memory().putInt(Scratch.LENGTH, size);
            return 0;
        }
        return WindowsError.toErrno(result);
    }

    @Override
    public int getpeername(long socket, Scratch scratch) {
        return WindowsError.toErrno(windows.getpeername(socket, scratch.address(Scratch.ADDRESS),
                scratch.address(Scratch.LENGTH)));
    }

    @Override
    public SocketOption<Boolean> acceptorOption() {
        return SO_EXCLUSIVEADDRUSE;
    }

    @Override
    public int getsockopt(long socket, SystemSocketOption<?> option, long value, long valueLength) {
        Integer number = OPTIONS.get(option.name());
        return number == null
                ? -Errno.ENOPROTOOPT.number()
                : WindowsError.toErrno(windows.getsockopt(socket, level(option), number, value, valueLength));
    }

    @Override
    public int setsockopt(long socket, SystemSocketOption<?> option, long value, int valueLength) {
        Integer number = OPTIONS.get(option.name());
        return number == null
                ? -Errno.ENOPROTOOPT.number()
                : WindowsError.toErrno(windows.setsockopt(socket, level(option), number, value, valueLength));
    }

    // The levels of protocols are their protocol numbers, which are the same on all systems.
    private static int level(SystemSocketOption<?> option) {
        return option.level() == SocketConstants.SOL_SOCKET ? WinsockConstants.SOL_SOCKET : option.level();
    }

    @Override
    public int writeLinger(ByteBuffer at, int offset, int seconds) {
        WinsockLinger.set(at, offset, seconds);
        return WinsockLinger.SIZE;
    }

    @Override
    public int readLinger(ByteBuffer at, int offset) {
        return WinsockLinger.seconds(at, offset);
    }

    @Override
    public int shutdown(long socket, int how) {
        return WindowsError.toErrno(windows.shutdown(socket, how));
    }

    @Override
    public long receive(long socket, long address, long length) {
        return received(windows.recv(socket, address, cut(length), 0));
    }

    @Override
    public long send(long socket, long address, long length) {
        return WindowsError.toErrno(windows.send(socket, address, cut(length), 0));
    }

    /**
     * Converts the result of a receive. After a shutdown of the receiving half, it is the end of the stream on Unix,
     * but an error on Windows.
     */
    private static long received(int result) {
        return result == -WindowsError.WSAESHUTDOWN ? 0 : WindowsError.toErrno(result);
    }

    @Override
    public void element(Scratch scratch, int index, long address, int length) {
        Wsabuf.set(scratch.memory(), Scratch.VECTOR + index * Wsabuf.SIZE, address, length);
    }

    // In calls with a vector, the space for a value holds the count that the call returns, followed by its flags.

    @Override
    public long receive(long socket, Scratch scratch, int elements) {
        scratch.memory().putLong(Scratch.VALUE, 0);
        int result = windows.WSARecv(socket, scratch.address(Scratch.VECTOR), elements, scratch.address(Scratch.VALUE),
                scratch.address(Scratch.VALUE + Integer.BYTES), 0, 0);
        return received(result < 0 ? result : scratch.memory().getInt(Scratch.VALUE));
    }

    @Override
    public long send(long socket, Scratch scratch, int elements) {
        int result = windows.WSASend(socket, scratch.address(Scratch.VECTOR), elements,
                scratch.address(Scratch.VALUE), 0, 0, 0);
        return WindowsError.toErrno(result < 0 ? result : scratch.memory().getInt(Scratch.VALUE));
    }

    @Override
    public long receiveFrom(long socket, long address, long length, Scratch scratch) {
        scratch.memory().putInt(Scratch.LENGTH, SockaddrStorage.SIZE);
        int result = windows.recvfrom(socket, address, cut(length), 0, scratch.address(Scratch.ADDRESS),
                scratch.address(Scratch.LENGTH));
        return switch (result) {
            // The length of a truncated datagram is not reported: it counts as one byte longer than the buffer.
            case -WindowsError.WSAEMSGSIZE -> length + 1;
            case -WindowsError.WSAECONNRESET -> -Errno.ECONNREFUSED.number();
            default -> WindowsError.toErrno(result);
        };
    }

    @Override
    public long sendTo(long socket, long address, long length, Scratch scratch, int addressLength) {
        int result = addressLength == 0
                ? windows.send(socket, address, cut(length), 0)
                : windows.sendto(socket, address, cut(length), 0, scratch.address(Scratch.ADDRESS), addressLength);
        return switch (result) {
            case -WindowsError.WSAENOTCONN -> -Errno.EDESTADDRREQ.number();
            case -WindowsError.WSAECONNRESET -> -Errno.ECONNREFUSED.number();
            default -> WindowsError.toErrno(result);
        };
    }

    /** {@code TransmitFile} waits for the peer, whether the socket blocks or not, unless it is overlapped. */
    @Override
    public long sendFile(long socket, long file, long position, long count, ByteBuffer arguments, int at,
            long address) {
        return -Errno.ENOSYS.number();
    }

    @Override
    public int await(long socket, boolean reading, Deadline deadline, BooleanSupplier isOpen) {
        try (Scratch scratch = Scratch.forWait(binding)) {
            int result;
            do {
                int millis = deadline.pollMillis(CLOSE_CHECK_MILLIS);
                result = reading ? pollToRead(socket, millis, scratch) : selectToWrite(socket, millis, scratch);
            } while (result == 0 && !deadline.isOver() && isOpen.getAsBoolean());
            return WindowsError.toErrno(result);
        }
    }

    private int pollToRead(long socket, int millis, Scratch scratch) {
        Wsapollfd.set(scratch.memory(), Scratch.VALUE, socket, WinsockConstants.POLLIN);
        return windows.WSAPoll(scratch.address(Scratch.VALUE), 1, millis);
    }

    // Before Windows 10 2004, WSAPoll does not report a failed attempt to connect.
    private int selectToWrite(long socket, int millis, Scratch scratch) {
        int failed = Scratch.VALUE + WinsockFdSet.size(1);
        int time = failed + WinsockFdSet.size(1);
        WinsockFdSet.clear(scratch.memory(), Scratch.VALUE);
        WinsockFdSet.add(scratch.memory(), Scratch.VALUE, socket);
        WinsockFdSet.clear(scratch.memory(), failed);
        WinsockFdSet.add(scratch.memory(), failed, socket);
        WinsockTimeval.set(scratch.memory(), time, millis * 1_000_000L);
        return windows.select(0, 0, scratch.address(Scratch.VALUE), scratch.address(failed), scratch.address(time));
    }

    // Any descriptor

    @Override
    public boolean followsJavaPriorities() {
        // The virtual machine passes them to SetThreadPriority.
        return true;
    }

    private int makeNonBlocking(long descriptor) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            scratch.memory().putInt(Scratch.VALUE, 1);
            return WindowsError.toErrno(
                    windows.ioctlsocket(descriptor, WinsockConstants.FIONBIO, scratch.address(Scratch.VALUE)));
        }
    }

    @Override
    int closeOnce(long descriptor, boolean isSocket) {
        if (!isSocket) {
            return WindowsError.toErrno(windows.CloseHandle(descriptor));
        }
        int result = windows.closesocket(descriptor);
        if (result == -WindowsError.WSAEWOULDBLOCK) {
            // It would have to wait as long as SO_LINGER says, so it has not even begun to close the socket. Without
            // the option it returns immediately, and the system goes on sending.
            endLinger(descriptor);
            result = windows.closesocket(descriptor);
        }
        return WindowsError.toErrno(result);
    }

    private void endLinger(long socket) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            int size = writeLinger(scratch.memory(), Scratch.VALUE, -1);
            windows.setsockopt(socket, WinsockConstants.SOL_SOCKET, WinsockConstants.SO_LINGER,
                    scratch.address(Scratch.VALUE), size);
        }
    }

    // Pipes

    /**
     * Opens a pair of sockets connected over the loopback address, because no socket demultiplexer can wait for a pipe
     * of Windows.
     */
    @Override
    public int openPipe(Scratch scratch) {
        long listener = openSocket(WinsockConstants.AF_INET, SocketConstants.SOCK_STREAM);
        if (listener < 0) {
            return (int) listener;
        }
        try {
            int result = listenOnLoopback(listener, scratch);
            return result < 0 ? result : connectPipe(listener, scratch);
        } finally {
            windows.closesocket(listener);
        }
    }

    private int listenOnLoopback(long listener, Scratch scratch) {
        ByteBuffer at = scratch.memory();
        at.putLong(Scratch.ADDRESS, 0).putLong(Scratch.ADDRESS + Long.BYTES, 0);
        SockaddrStorage.family(at, Scratch.ADDRESS, WinsockConstants.AF_INET);
        at.put(Scratch.ADDRESS + SockaddrIn.ADDR, (byte) 127).put(Scratch.ADDRESS + SockaddrIn.ADDR + 3, (byte) 1);
        int result = bind(listener, scratch.address(Scratch.ADDRESS), SockaddrIn.SIZE);
        if (result >= 0) {
            result = listen(listener, 1);
        }
        at.putInt(Scratch.LENGTH, SockaddrStorage.SIZE);
        return result < 0 ? result : getsockname(listener, WinsockConstants.AF_INET, scratch);
    }

    private int connectPipe(long listener, Scratch scratch) {
        long sink = openSocket(WinsockConstants.AF_INET, SocketConstants.SOCK_STREAM);
        if (sink < 0) {
            return (int) sink;
        }
        long source = -1;
        try {
            // As in a pipe, written bytes can be read immediately, even if earlier ones have not been acknowledged.
            scratch.memory().putInt(Scratch.VALUE, 1);
            int result = WindowsError.toErrno(windows.setsockopt(sink, SocketConstants.IPPROTO_TCP,
                    WinsockConstants.TCP_NODELAY, scratch.address(Scratch.VALUE), Integer.BYTES));
            result = result < 0 ? result : connect(sink, scratch.address(Scratch.ADDRESS), SockaddrIn.SIZE);
            source = result < 0 && !Errno.EINPROGRESS.is(result) ? result : acceptFrom(listener, sink, scratch);
        } finally {
            if (source < 0) {
                windows.closesocket(sink);
            }
        }
        if (source < 0) {
            return (int) source;
        }
        scratch.memory().putLong(Scratch.VALUE, source).putLong(Scratch.VALUE + Long.BYTES, sink);
        return 0;
    }

    /**
     * Accepts the connection of the sink. Other processes may connect to the port first; their connections are closed,
     * and those that they have reset before are skipped.
     */
    private long acceptFrom(long listener, long sink, Scratch scratch) {
        scratch.memory().putInt(Scratch.LENGTH, SockaddrStorage.SIZE);
        int result = getsockname(sink, WinsockConstants.AF_INET, scratch);
        int ours = scratch.memory().getInt(Scratch.ADDRESS);
        for (int i = 0; result >= 0 && i < MAX_PIPE_ACCEPTS; i++) {
            Wsapollfd.set(scratch.memory(), Scratch.VALUE, listener, WinsockConstants.POLLIN);
            result = WindowsError.toErrno(windows.WSAPoll(scratch.address(Scratch.VALUE), 1, PIPE_TIMEOUT_MILLIS));
            if (result == 0) {
                return -Errno.ETIMEDOUT.number();
            }
            scratch.memory().putInt(Scratch.LENGTH, SockaddrStorage.SIZE);
            long source = result < 0 ? result
                    : accept(listener, scratch.address(Scratch.ADDRESS), scratch.address(Scratch.LENGTH));
            // The first four bytes are the family and the port.
            if (source >= 0 && scratch.memory().getInt(Scratch.ADDRESS) == ours) {
                return source;
            }
            if (source >= 0) {
                windows.closesocket(source);
            } else if (!isForeign(source)) {
                return source;
            }
        }
        return result < 0 ? result : -Errno.ECONNABORTED.number();
    }

    /** {@return whether there is no connection, or another process has reset one before it was accepted} */
    private static boolean isForeign(long error) {
        return Errno.EAGAIN.is(error) || Errno.ECONNRESET.is(error) || Errno.ECONNABORTED.is(error);
    }

    @Override
    public boolean pipesAreSockets() {
        return true;
    }

    @Override
    public long read(long descriptor, long address, long length) {
        return receive(descriptor, address, length);
    }

    @Override
    public long write(long descriptor, long address, long length) {
        long result = send(descriptor, address, length);
        // The error of a pipe whose source has been closed.
        return Errno.ECONNRESET.is(result) || Errno.ECONNABORTED.is(result) ? -Errno.EPIPE.number() : result;
    }
}
