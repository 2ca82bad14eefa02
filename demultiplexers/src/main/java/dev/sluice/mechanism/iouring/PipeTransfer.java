package dev.sluice.mechanism.iouring;

import java.nio.ByteBuffer;

/** Reads from a pipe or a terminal, or writes to one. */
final class PipeTransfer extends Request {

    /** For what has no positions (io_uring_enter(2), IORING_OP_READ). */
    private static final long NO_POSITION = -1;

    private final int opcode;
    private final int awaited;

    /** Makes the request for reading or for writing, given its opcode and the event that means it can go on. */
    PipeTransfer(IoUringDemultiplexer demultiplexer, int opcode, int awaited) {
        super(demultiplexer);
        this.opcode = opcode;
        this.awaited = awaited;
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        set(operation, entries, at, opcode, NO_POSITION, operation.address(), operation.nextLength(), 0);
    }

    @Override
    int awaitedEvent(IoUringOperation operation) {
        // Without waiting itself, the kernel answers at once for descriptors that are non-blocking.
        return awaited;
    }
}
