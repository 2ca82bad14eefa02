package dev.sluice.mechanism.iouring;

import java.nio.ByteBuffer;

/** Reads from a file or writes to one. */
final class FileTransfer extends Request {

    private final int opcode;
    private final int vectorOpcode;

    /** Makes the request for reading or for writing, given the opcodes for one buffer and for several. */
    FileTransfer(IoUringDemultiplexer demultiplexer, int opcode, int vectorOpcode) {
        super(demultiplexer);
        this.opcode = opcode;
        this.vectorOpcode = vectorOpcode;
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        if (operation.isVectored()) {
            set(operation, entries, at, vectorOpcode, operation.nextPosition(), operation.vector(),
                    operation.vectorCount(), 0);
        } else {
            set(operation, entries, at, opcode, operation.nextPosition(), operation.address(), operation.nextLength(),
                    0);
        }
    }
}
