package dev.sluice.mechanism.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.mechanism.afd.AfdDriver;
import dev.sluice.mechanism.afd.AfdPollInfo;

/** Waits for readiness of a socket: the socket driver answers a poll request with a packet. */
final class Poll extends OverlappedRequest {

    private final AfdDriver driver;

    /**
     * Makes the request.
     *
     * @param driver tied to the port
     */
    Poll(OverlappedCalls calls, AfdDriver driver) {
        super(calls);
        this.driver = driver;
    }

    /** The call is on the driver's handle, and always queues a packet. */
    @Override
    boolean maySkipPackets() {
        return false;
    }

    @Override
    long call(IocpOperation operation) {
        long socket = extensions().kernelHandles() ? operation.descriptor() : baseSocket(operation);
        if (socket < 0) {
            return socket;
        }
        AfdPollInfo.set(operation.structure(), operation.structureAt(), socket, operation.awaitedEvents());
        int status = driver.poll(operation.structureAddress(), operation.block.address());
        return status < 0 ? WindowsError.toErrno(-windows().RtlNtStatusToDosError(status)) : PENDING;
    }

    /** {@return the socket that the driver knows, which differs from ours if another provider is in between} */
    private long baseSocket(IocpOperation operation) {
        int result = windows().WSAIoctl(operation.descriptor(), WinsockConstants.SIO_BASE_HANDLE, 0, 0,
                operation.structureAddress(), Long.BYTES, operation.structureAddress() + Long.BYTES, 0, 0);
        return result < 0
                ? WindowsError.toErrno(result)
                : operation.structure().getLong(operation.structureAt());
    }

    /** {@return which of the requested events the socket is ready for; 0 if it was cancelled or a false alarm} */
    @Override
    long result(IocpOperation operation, long transferred) {
        return AfdPollInfo.events(operation.structure(), operation.structureAt()) & operation.awaitedEvents();
    }

    @Override
    boolean completed(IocpOperation operation, long result) {
        return result == 0 || finish(operation, result);
    }

    @Override
    void cancel(IocpOperation operation) {
        if (operation.pending) {
            driver.cancel(operation.structureAddress());
        }
    }
}
