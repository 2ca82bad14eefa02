package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_ACCEPT_MULTISHOT;

import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.handle.SocketStream;
import java.nio.ByteBuffer;

/** Accepts connections, all with one request if the kernel supports that. */
final class AcceptContinuously extends Accept {

    private final boolean multishot;

    AcceptContinuously(IoUringDemultiplexer demultiplexer, boolean multishot) {
        super(demultiplexer);
        this.multishot = multishot;
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        super.encode(operation, entries, at);
        if (multishot) {
            IoUringSqe.ioprio(entries, at, IORING_ACCEPT_MULTISHOT);
        }
    }

    @Override
    void accepted(IoUringOperation operation, SocketStream stream, boolean over) {
        if (stream != null) {
            outcomes().report(operation, 0, stream);
        }
        if (over) {
            demultiplexer().resume(operation);
        }
    }
}
