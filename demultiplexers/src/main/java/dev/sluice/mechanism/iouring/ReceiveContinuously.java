package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_SOCK_NONEMPTY;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.PooledBuffer;

/** Receives into provided buffers until the end of the stream. */
abstract class ReceiveContinuously extends Request {

    ReceiveContinuously(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    /** Adds a buffer that can be received into. */
    abstract void provide(PooledBuffer buffer);

    @Override
    final int awaitedEvent(IoUringOperation operation) {
        return EventType.READ;
    }

    /** Something has come, with the flags of its completion. */
    final void brought(IoUringOperation operation, int bytes, int flags) {
        outcomes().providedBuffers().brought(operation, bytes, (flags & IORING_CQE_F_SOCK_NONEMPTY) != 0);
    }

    /** Asks for more, after checking whether the connection may have more. */
    final void goOn(IoUringOperation operation) {
        if (operation.isCancelRequested()) {
            demultiplexer().finish(operation, -Errno.ECANCELED.number());
        } else {
            demultiplexer().begin(operation);
        }
    }

    /** Called when nothing has been received. */
    final void ended(IoUringOperation operation, int result) {
        if (Errno.EINTR.is(result)) {
            demultiplexer().resume(operation);
        } else {
            demultiplexer().finish(operation, result);
        }
    }
}
