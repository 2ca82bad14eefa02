package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;

import dev.sluice.demultiplexer.operation.Arguments;

/** Forces the content of a file to the disk. */
final class Force extends FileRequest<Arguments> {

    private final int flags;

    Force(Requests requests, Arguments arguments, int flags) {
        super(requests, arguments);
        this.flags = flags;
    }

    @Override
    void perform() {
        set(IORING_OP_FSYNC, 0, 0, 0, flags);
    }
}
