package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FADVISE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FALLOCATE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SYNC_FILE_RANGE;

import dev.sluice.demultiplexer.operation.FileRange;

/** Makes a call on a range of a file. */
final class Range extends FileRequest<FileRange> {

    /** The maximum length of a range that a request of most kinds has space for. */
    private static final long MAX_LENGTH = 0xffff_ffffL;

    private final int opcode;

    Range(Requests requests, FileRange arguments) {
        super(requests, arguments);
        opcode = switch (arguments.what()) {
            case ALLOCATE, PUNCH_HOLE -> IORING_OP_FALLOCATE;
            case PREFETCH, EVICT -> IORING_OP_FADVISE;
            case WRITE_BACK -> IORING_OP_SYNC_FILE_RANGE;
        };
    }

    @Override
    boolean isForRing() {
        return requests.features.has(opcode)
                && (opcode == IORING_OP_FALLOCATE || arguments.length() <= MAX_LENGTH);
    }

    @Override
    void perform() {
        int flags = arguments.what().flags();
        if (opcode == IORING_OP_FALLOCATE) {
            // The mode is in the place of the length.
            set(opcode, arguments.first(), arguments.length(), flags, 0);
        } else {
            set(opcode, arguments.first(), 0, (int) arguments.length(), flags);
        }
    }
}
