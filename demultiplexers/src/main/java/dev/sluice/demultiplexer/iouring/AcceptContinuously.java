package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_ACCEPT_MULTISHOT;

import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.handle.SocketStream;
import java.nio.ByteBuffer;

/** Accepts connections, all with one request if the kernel supports that. */
final class AcceptContinuously extends Accept {

    private final boolean multishot;

    AcceptContinuously(Submissions submissions, Accepting asked, boolean multishot) {
        super(submissions, asked);
        this.multishot = multishot;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        super.perform(entries, at);
        if (multishot) {
            IoUringSqe.ioprio(entries, at, IORING_ACCEPT_MULTISHOT);
        }
    }

    @Override
    void accepted(SocketStream stream, boolean over) {
        if (stream != null) {
            outcomes().report(operation(), 0, stream);
        }
        if (over) {
            resume();
        }
    }
}
