package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.afd.AfdPollInfo;
import dev.sluice.demultiplexer.operation.Events;

/** Waits for readiness of a socket by a poll request, which the socket driver answers with a packet. */
final class Poll extends OverlappedRequest<Events> {

    Poll(IocpDemultiplexer demultiplexer, Events arguments) {
        super(demultiplexer, arguments);
    }

    /** {@inheritDoc} The call is on the handle of the driver, and always queues a packet. */
    @Override
    boolean maySkipPackets() {
        return false;
    }

    @Override
    long perform() {
        long socket = extensions().kernelHandles() ? descriptor() : baseSocket();
        if (socket < 0) {
            return socket;
        }
        AfdPollInfo.set(memory().structure(), memory().structureAt(), socket, arguments.get());
        int status = demultiplexer.driver.poll(memory().structureAddress(), block().address());
        return status < 0 ? WindowsError.toErrno(-windows().RtlNtStatusToDosError(status)) : PENDING;
    }

    /** {@return the socket that the driver knows, which differs if another provider is in between} */
    private long baseSocket() {
        int result = windows().WSAIoctl(descriptor(), WinsockConstants.SIO_BASE_HANDLE, 0, 0,
                memory().structureAddress(), Long.BYTES, memory().structureAddress() + Long.BYTES, 0, 0);
        return result < 0
                ? WindowsError.toErrno(result)
                : memory().structure().getLong(memory().structureAt());
    }

    /**
     * {@return the requested events that the socket is ready for; 0 if there are none, or the request was cancelled}
     */
    @Override
    long result(long transferred) {
        return AfdPollInfo.events(memory().structure(), memory().structureAt()) & arguments.get();
    }

    @Override
    boolean complete(long result) {
        return result == 0 || finish(result);
    }

    @Override
    protected void cancel() {
        if (isPending()) {
            demultiplexer.driver.cancel(memory().structureAddress());
        }
    }
}
