package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;

import java.nio.ByteBuffer;

/** Brings a file's content to the disk. */
final class Force extends Request {

    Force(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        set(operation, entries, at, IORING_OP_FSYNC, 0, 0, 0, 0);
    }
}
