package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.ExtensionFunction;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;

/**
 * The functions that a socket provider adds to Winsock, and whether its sockets are kernel handles.
 *
 * @param acceptEx       the address of {@code AcceptEx}
 * @param connectEx      the address of {@code ConnectEx}
 * @param transmitFile   the address of {@code TransmitFile}
 * @param kernelHandles  whether sockets are kernel handles, without another provider in between; such a provider may
 *                       complete a call immediately and still queue a packet for it
 */
record ExtensionFunctions(long acceptEx, long connectEx, long transmitFile, boolean kernelHandles) {

    private static final int OUTPUT = ExtensionFunction.SIZE;
    private static final int RETURNED = OUTPUT + Long.BYTES;
    private static final int SIZE = RETURNED + Integer.BYTES;

    /** Asks the TCP provider for IPv4, whose functions also support IPv6. */
    static ExtensionFunctions ask(Binding binding) throws SystemCallException {
        Windows windows = binding.windows();
        long socket = OperatingSystem.of(binding).openSocket(WinsockConstants.AF_INET, SocketConstants.SOCK_STREAM);
        if (socket < 0) {
            throw new SystemCallException("socket", IocpDemultiplexer.NAME, socket);
        }
        try (MemoryBlock block = binding.memory().allocate(SIZE)) {
            return new ExtensionFunctions(
                    pointer(windows, socket, block, ExtensionFunction.ACCEPT_EX),
                    pointer(windows, socket, block, ExtensionFunction.CONNECT_EX),
                    pointer(windows, socket, block, ExtensionFunction.TRANSMIT_FILE),
                    baseHandle(windows, socket, block) == socket);
        } finally {
            windows.closesocket(socket);
        }
    }

    private static long pointer(Windows windows, long socket, MemoryBlock block, ExtensionFunction function)
            throws SystemCallException {
        function.writeTo(block.buffer(), 0);
        int result = windows.WSAIoctl(socket, WinsockConstants.SIO_GET_EXTENSION_FUNCTION_POINTER, block.address(),
                ExtensionFunction.SIZE, block.address() + OUTPUT, Long.BYTES, block.address() + RETURNED, 0, 0);
        if (result < 0) {
            throw new SystemCallException("WSAIoctl", IocpDemultiplexer.NAME + " " + function,
                    WindowsError.toErrno(result));
        }
        return block.buffer().getLong(OUTPUT);
    }

    /**
     * {@return the kernel's handle of the socket, or a negative number if the provider does not support the request}
     */
    private static long baseHandle(Windows windows, long socket, MemoryBlock block) {
        int result = windows.WSAIoctl(socket, WinsockConstants.SIO_BASE_HANDLE, 0, 0, block.address() + OUTPUT,
                Long.BYTES, block.address() + RETURNED, 0, 0);
        return result < 0 ? result : block.buffer().getLong(OUTPUT);
    }
}
