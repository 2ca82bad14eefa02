package dev.sluice.mechanism.iouring;

import dev.sluice.calls.Errno;
import java.nio.ByteBuffer;

/** Sends a part of a file, and what comes before and after it, step by step. */
final class TransmitFile extends Request {

    /**
     * The kernel's ERESTARTSYS, which no user should ever see. A splice runs in a kernel thread; when that is
     * interrupted, as when somebody starts tracing the process, this error leaks out (seen on Linux 6.18).
     */
    private static final int RESTART = -512;

    private final PipePool pipes;

    TransmitFile(IoUringDemultiplexer demultiplexer, PipePool pipes) {
        super(demultiplexer);
        this.pipes = pipes;
    }

    @Override
    boolean prepare(IoUringOperation operation) {
        if (operation.transmission == null) {
            operation.transmission = new Transmission(pipes);
        }
        operation.transmission.begin(operation);
        return true;
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        operation.transmission.encode(operation, entries, at);
    }

    @Override
    int awaitedEvent(IoUringOperation operation) {
        return operation.transmission.awaitedEvent(operation);
    }

    @Override
    int awaitedDescriptor(IoUringOperation operation) {
        return operation.transmission.awaitedDescriptor(operation);
    }

    @Override
    long most(IoUringOperation operation, int flags) {
        return operation.transmission.most();
    }

    @Override
    void completed(IoUringOperation operation, int result, int flags) {
        if (Errno.EINTR.is(result) || result == RESTART) {
            demultiplexer().resume(operation);
        } else if (result < 0) {
            demultiplexer().finish(operation, result);
        } else if (operation.transmission.advance(operation, result)) {
            demultiplexer().resume(operation);
        } else {
            demultiplexer().finish(operation, operation.done());
        }
    }

    @Override
    void letGo(IoUringOperation operation) {
        if (operation.transmission != null) {
            operation.transmission.end();
        }
    }
}
