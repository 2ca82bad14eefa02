package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_SOCK_NONEMPTY;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.Arguments;
import dev.sluice.mechanism.operation.ProvidedBuffers;

/** Receives into provided buffers until the end of the stream. */
abstract class ReceiveContinuously extends Request {

    ReceiveContinuously(Submissions submissions, Arguments asked) {
        super(submissions, asked);
    }

    @Override
    final int awaitedEvent() {
        return EventType.READ;
    }

    final ProvidedBuffers provided() {
        return outcomes().providedBuffers();
    }

    /** Something has come, with the flags of its completion. */
    final void brought(int bytes, int flags) {
        provided().brought(operation(), bytes, (flags & IORING_CQE_F_SOCK_NONEMPTY) != 0);
    }

    /** Asks for more, after checking whether the connection may have more. */
    final void goOn() {
        if (operation().isCancelRequested()) {
            finish(-Errno.ECANCELED.number());
        } else {
            begin();
        }
    }

    /** Called when nothing has been received. */
    final void ended(int result) {
        if (Errno.EINTR.is(result)) {
            resume();
        } else {
            finish(result);
        }
    }
}
