package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.Datagram;

/** Receives or sends a datagram with its address. */
abstract class DatagramRequest extends OverlappedRequest<Datagram> {

    DatagramRequest(IocpDemultiplexer demultiplexer, Datagram arguments) {
        super(demultiplexer, arguments);
    }

    /** {@inheritDoc} Not for UDP, which in some versions of Windows queues a packet nevertheless. */
    @Override
    final boolean maySkipPackets() {
        return false;
    }

    @Override
    long failure(int result) {
        return switch (-result) {
            // The peer's host has reported that nothing listens there.
            case WindowsError.WSAECONNRESET, WindowsError.ERROR_NETNAME_DELETED -> -Errno.ECONNREFUSED.number();
            default -> super.failure(result);
        };
    }
}
