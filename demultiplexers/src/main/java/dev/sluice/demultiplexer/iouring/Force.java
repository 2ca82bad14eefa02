package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;

import dev.sluice.demultiplexer.operation.Arguments;
import java.nio.ByteBuffer;

/** Brings a file's content to the disk. */
final class Force extends Request {

    Force(Submissions submissions, Arguments asked) {
        super(submissions, asked);
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        set(entries, at, IORING_OP_FSYNC, 0, 0, 0, 0);
    }
}
