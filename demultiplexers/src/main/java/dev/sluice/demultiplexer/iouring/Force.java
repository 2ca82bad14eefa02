package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;

import dev.sluice.demultiplexer.operation.Arguments;

/** Brings a file's content to the disk. */
final class Force extends Request<Arguments> {

    private final int flags;

    Force(Requests requests, Arguments asked, int flags) {
        super(requests, asked);
        this.flags = flags;
    }

    @Override
    void perform() {
        set(IORING_OP_FSYNC, 0, 0, 0, flags);
    }
}
