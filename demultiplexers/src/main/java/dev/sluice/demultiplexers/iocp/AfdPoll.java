package dev.sluice.demultiplexers.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.IoStatusBlock;
import dev.sluice.calls.layout.ObjectAttributes;
import dev.sluice.calls.layout.UnicodeString;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.SystemCallException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Waiting for the readiness of a socket with a packet, as {@code WSAPoll} and {@code select} do it underneath: a request
 * to the kernel's driver of sockets (AFD). No header of Windows has it, but programs have relied on it since Windows
 * Vista, so it is not going to change. Inside, but for the opening.
 */
final class AfdPoll implements AutoCloseable {

    // What would be AFD_POLL_INFO with one AFD_POLL_HANDLE_INFO, in the memory of the operation's structure
    private static final int TIMEOUT = 0;
    private static final int HANDLE_COUNT = 8;
    private static final int EXCLUSIVE = 12;
    private static final int HANDLE = 16;
    private static final int EVENTS = 24;
    private static final int STATUS = 28;
    private static final int SIZE = 32;

    private static final int IOCTL_AFD_POLL = 0x12024;
    private static final int POLL_RECEIVE = 0x1;
    private static final int POLL_RECEIVE_EXPEDITED = 0x2;
    private static final int POLL_SEND = 0x4;
    private static final int POLL_DISCONNECT = 0x8;
    private static final int POLL_ABORT = 0x10;
    private static final int POLL_ACCEPT = 0x80;
    private static final int POLL_CONNECT_FAIL = 0x100;

    private static final int READ = POLL_RECEIVE | POLL_ACCEPT | POLL_DISCONNECT | POLL_ABORT | POLL_CONNECT_FAIL;
    private static final int WRITE = POLL_SEND | POLL_ABORT | POLL_CONNECT_FAIL;

    /** The device, and after it any name. */
    private static final byte[] NAME = "\\Device\\Afd\\Sluice".getBytes(StandardCharsets.UTF_16LE);
    private static final int OPEN_EXISTING = 1;

    private final Windows windows;
    private final boolean kernelHandles;
    private final long device;

    private AfdPoll(Windows windows, boolean kernelHandles, long device) {
        this.windows = windows;
        this.kernelHandles = kernelHandles;
        this.device = device;
    }

    /** Opens the driver, and has its packets come to a port. */
    static AfdPoll open(Binding binding, boolean kernelHandles, CompletionPort port) throws SystemCallException {
        Windows windows = binding.windows();
        int attributes = IoStatusBlock.SIZE;
        int name = attributes + ObjectAttributes.SIZE;
        int text = name + UnicodeString.SIZE;
        int handle = text + NAME.length + Long.BYTES - NAME.length % Long.BYTES;
        try (MemoryBlock block = binding.memory().allocate(handle + Long.BYTES)) {
            block.buffer().put(text, NAME);
            UnicodeString.set(block.buffer(), name, NAME.length, block.address() + text);
            ObjectAttributes.set(block.buffer(), attributes, block.address() + name);
            int status = windows.NtCreateFile(block.address() + handle, Win32Constants.SYNCHRONIZE,
                    block.address() + attributes, block.address(), 0, 0,
                    Win32Constants.FILE_SHARE_READ | Win32Constants.FILE_SHARE_WRITE, OPEN_EXISTING, 0, 0, 0);
            if (status < 0) {
                throw failure("NtCreateFile", -windows.RtlNtStatusToDosError(status));
            }
            long device = block.buffer().getLong(handle);
            int tied = port.tie(device);
            if (tied < 0) {
                windows.CloseHandle(device);
                throw failure("CreateIoCompletionPort", tied);
            }
            return new AfdPoll(windows, kernelHandles, device);
        }
    }

    private static SystemCallException failure(String call, int result) {
        return new SystemCallException(call, IocpDemultiplexer.NAME + " \\Device\\Afd", WindowsError.toErrno(result));
    }

    /**
     * Asks for a packet as soon as the operation's socket is ready.
     *
     * @return {@link OverlappedCalls#PENDING} or a negated error number
     */
    long request(IocpOperation operation) {
        long socket = kernelHandles ? operation.descriptor() : baseHandle(operation);
        if (socket < 0) {
            return socket;
        }
        ByteBuffer memory = operation.structure();
        int at = operation.structureAt();
        memory.putLong(at + TIMEOUT, Long.MAX_VALUE).putInt(at + HANDLE_COUNT, 1).putInt(at + EXCLUSIVE, 0)
                .putLong(at + HANDLE, socket).putInt(at + EVENTS, toAfd((int) operation.amount()))
                .putInt(at + STATUS, 0);
        OverlappedPool.Block block = operation.block;
        block.clear(0);
        int status = windows.NtDeviceIoControlFile(device, 0, 0, block.address(), block.address(), IOCTL_AFD_POLL,
                operation.structureAddress(), SIZE, operation.structureAddress(), SIZE);
        return status < 0
                ? WindowsError.toErrno(-windows.RtlNtStatusToDosError(status))
                : OverlappedCalls.PENDING;
    }

    private long baseHandle(IocpOperation operation) {
        int result = windows.WSAIoctl(operation.descriptor(), WinsockConstants.SIO_BASE_HANDLE, 0, 0,
                operation.structureAddress(), Long.BYTES, operation.structureAddress() + Long.BYTES, 0, 0);
        return result < 0
                ? WindowsError.toErrno(result)
                : operation.structure().getLong(operation.structureAt());
    }

    private static int toAfd(int events) {
        return ((events & EventType.READ) != 0 ? READ : 0)
                | ((events & EventType.WRITE) != 0 ? WRITE : 0)
                | ((events & EventType.EXCEPTION) != 0 ? POLL_RECEIVE_EXPEDITED : 0);
    }

    /** {@return what the operation's socket is ready for, of what was asked; 0 if that was a false alarm} */
    int ready(IocpOperation operation) {
        ByteBuffer memory = operation.structure();
        int at = operation.structureAt();
        int found = memory.getInt(at + HANDLE_COUNT) == 0 ? 0 : memory.getInt(at + EVENTS);
        int events = ((found & READ) != 0 ? EventType.READ : 0)
                | ((found & WRITE) != 0 ? EventType.WRITE : 0)
                | ((found & POLL_RECEIVE_EXPEDITED) != 0 ? EventType.EXCEPTION : 0);
        return events & (int) operation.amount();
    }

    /** Asks for the end of a request, which still comes with a packet. */
    void cancel(IocpOperation operation) {
        windows.CancelIoEx(device, operation.block.address());
    }

    @Override
    public void close() {
        windows.CloseHandle(device);
    }
}
