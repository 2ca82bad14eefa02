package dev.sluice.demultiplexers.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexers.afd.AfdDriver;
import dev.sluice.demultiplexers.afd.AfdPollInfo;
import dev.sluice.handle.SystemCallException;

/** Operations that wait for the readiness of a socket, as poll requests in their structures. Inside. */
final class AfdPoll implements AutoCloseable {

    private final Windows windows;
    private final boolean kernelHandles;
    private final AfdDriver driver;

    /**
     * Opens the driver, and has its packets come to a port.
     *
     * @param kernelHandles whether sockets are what the driver knows
     * @throws SystemCallException if the system refuses
     */
    AfdPoll(Binding binding, boolean kernelHandles, CompletionPort port) throws SystemCallException {
        this.windows = binding.windows();
        this.kernelHandles = kernelHandles;
        this.driver = new AfdDriver(binding, IocpDemultiplexer.NAME);
        int tied = port.tie(driver.handle());
        if (tied < 0) {
            driver.close();
            throw new SystemCallException("CreateIoCompletionPort", IocpDemultiplexer.NAME,
                    WindowsError.toErrno(tied));
        }
    }

    /**
     * Asks for a packet as soon as the operation's socket is ready.
     *
     * @return {@link OverlappedCalls#PENDING} or a negated error number
     */
    long request(IocpOperation operation) {
        long socket = kernelHandles ? operation.descriptor() : baseSocket(operation);
        if (socket < 0) {
            return socket;
        }
        AfdPollInfo.set(operation.structure(), operation.structureAt(), socket, (int) operation.amount());
        int status = driver.poll(operation.structureAddress(), operation.block.address());
        return status < 0
                ? WindowsError.toErrno(-windows.RtlNtStatusToDosError(status))
                : OverlappedCalls.PENDING;
    }

    private long baseSocket(IocpOperation operation) {
        int result = windows.WSAIoctl(operation.descriptor(), WinsockConstants.SIO_BASE_HANDLE, 0, 0,
                operation.structureAddress(), Long.BYTES, operation.structureAddress() + Long.BYTES, 0, 0);
        return result < 0
                ? WindowsError.toErrno(result)
                : operation.structure().getLong(operation.structureAt());
    }

    /** {@return what the operation's socket is ready for, of what was asked; 0 if it was cancelled or a false alarm} */
    int ready(IocpOperation operation) {
        return AfdPollInfo.events(operation.structure(), operation.structureAt()) & (int) operation.amount();
    }

    /** Asks for the end of a request, which still comes with a packet. */
    void cancel(IocpOperation operation) {
        driver.cancel(operation.structureAddress());
    }

    @Override
    public void close() {
        driver.close();
    }
}
