package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrIn;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.calls.layout.Wsadata;
import dev.sluice.handle.SystemCallException;

/**
 * For Windows, whose {@code select} and {@code WSAPoll} wait only for sockets: a datagram socket on the loopback
 * address, connected to itself. Once it is connected, the system drops all datagrams from other sockets, and no other
 * socket can be bound to its address.
 */
final class SelfConnectedSocket extends WakeUpDescriptor {

    private static final int WINSOCK_2_2 = 0x0202;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private static final int ADDRESS = 0;
    private static final int VALUE = ADDRESS + SockaddrIn.SIZE;
    private static final int SIZE = Math.max(VALUE + SIGNAL_BYTES, Wsadata.SIZE);

    private final Windows windows;
    private final long socket;

    SelfConnectedSocket(Binding binding, String demultiplexer) throws SystemCallException {
        super(demultiplexer);
        windows = binding.windows();
        try (MemoryBlock memory = binding.memory().allocate(SIZE)) {
            // This may be the process's first use of Winsock. The system counts these calls, and one too many does no
            // harm.
            require("WSAStartup", windows.WSAStartup(WINSOCK_2_2, memory.address()));
            socket = windows.WSASocketW(WinsockConstants.AF_INET, WinsockConstants.SOCK_DGRAM, 0, 0, 0,
                    WinsockConstants.WSA_FLAG_OVERLAPPED | WinsockConstants.WSA_FLAG_NO_HANDLE_INHERIT);
            if (socket < 0) {
                throw failure("WSASocket", WindowsError.toErrno(socket));
            }
            connectToItself(memory);
        }
    }

    private void connectToItself(MemoryBlock memory) throws SystemCallException {
        try {
            tryToConnectToItself(memory);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void tryToConnectToItself(MemoryBlock memory) throws SystemCallException {
        long address = memory.address() + ADDRESS;
        long value = memory.address() + VALUE;
        memory.buffer().putInt(VALUE, 1);
        require("ioctlsocket", windows.ioctlsocket(socket, WinsockConstants.FIONBIO, value));
        require("setsockopt", windows.setsockopt(socket, WinsockConstants.SOL_SOCKET,
                WinsockConstants.SO_EXCLUSIVEADDRUSE, value, Integer.BYTES));
        memory.buffer().putLong(ADDRESS, 0).putLong(ADDRESS + Long.BYTES, 0);
        memory.buffer().putShort(ADDRESS + SockaddrIn.FAMILY, (short) WinsockConstants.AF_INET);
        memory.buffer().put(ADDRESS + SockaddrIn.ADDR, LOOPBACK);
        require("bind", windows.bind(socket, address, SockaddrIn.SIZE));
        memory.buffer().putInt(VALUE, SockaddrIn.SIZE);
        require("getsockname", windows.getsockname(socket, address, value));
        require("connect", windows.connect(socket, address, SockaddrIn.SIZE));
        dropWhatCameBefore(value);
    }

    private void dropWhatCameBefore(long address) throws SystemCallException {
        long result;
        do {
            result = read(address);
        } while (result >= 0 || Errno.EMSGSIZE.is(result));
        if (!Errno.EAGAIN.is(result)) {
            throw failure("recv", result);
        }
    }

    private void require(String call, int result) throws SystemCallException {
        if (result < 0) {
            throw failure(call, WindowsError.toErrno(result));
        }
    }

    @Override
    long readable() {
        return socket;
    }

    /**
     * If it is refused for the moment, nothing has been sent. Wine refuses while another thread's send has not
     * returned, although what that thread sent may already have been read.
     */
    @Override
    long write(long address) {
        long result = send(address);
        while (Errno.EAGAIN.is(result)) {
            Thread.yield();
            result = send(address);
        }
        return result;
    }

    private long send(long address) {
        return WindowsError.toErrno(windows.send(socket, address, SIGNAL_BYTES, 0));
    }

    @Override
    String writeCall() {
        return "send";
    }

    @Override
    long read(long address) {
        return WindowsError.toErrno(windows.recv(socket, address, SIGNAL_BYTES, 0));
    }

    @Override
    void close() {
        windows.closesocket(socket);
    }
}
