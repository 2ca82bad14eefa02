package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FTRUNCATE;

import dev.sluice.demultiplexer.operation.NewLength;

/** Truncates or extends a file. */
final class Truncate extends FileRequest<NewLength> {

    Truncate(Requests requests, NewLength arguments) {
        super(requests, arguments);
    }

    @Override
    boolean isForRing() {
        return requests.features.has(IORING_OP_FTRUNCATE);
    }

    @Override
    void perform() {
        set(IORING_OP_FTRUNCATE, arguments.size(), 0, 0, 0);
    }
}
