package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;

import dev.sluice.demultiplexer.operation.Arguments;
import java.nio.ByteBuffer;

/** Brings a file's content to the disk. */
final class Force extends Request {

    private final int flags;

    Force(Submissions submissions, Arguments asked, int flags) {
        super(submissions, asked);
        this.flags = flags;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        set(entries, at, IORING_OP_FSYNC, 0, 0, 0, flags);
    }
}
