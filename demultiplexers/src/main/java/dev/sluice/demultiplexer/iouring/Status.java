package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_STATX;

import dev.sluice.demultiplexer.operation.StatusQuery;
import dev.sluice.system.StatxResult;

/** Reads the attributes of a file or of a name. */
final class Status extends NameRequest<StatusQuery> {

    Status(Requests requests, StatusQuery arguments) {
        super(requests, arguments);
    }

    @Override
    boolean isForRing() {
        return requests.features.has(IORING_OP_STATX);
    }

    @Override
    void perform() {
        set(IORING_OP_STATX, arguments.descriptor(), memory().structureAddress(), arguments.address(),
                StatxResult.MASK, StatxResult.FLAGS);
    }

    @Override
    void complete(int result, int flags) {
        if (result == 0) {
            arguments.take(memory().structure(), memory().structureAt());
        }
        super.complete(result, flags);
    }

    @Override
    void executed(long result) {
        outcomes.complete(operation, result, arguments.takeResource());
    }
}
