package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.operation.Transfer;

/** Reads from a file or writes to one. */
final class FileTransfer extends Request<Transfer> {

    private final int opcode;
    private final int vectorOpcode;

    /** Creates the request for reading or for writing, given the opcodes for one buffer and for several. */
    FileTransfer(IoUringDemultiplexer demultiplexer, Transfer asked, int opcode, int vectorOpcode) {
        super(demultiplexer, asked);
        this.opcode = opcode;
        this.vectorOpcode = vectorOpcode;
    }

    @Override
    void perform() {
        if (asked.isVectored()) {
            set(vectorOpcode, asked.nextPosition(), memory().vector(), memory().vectorCount(), 0);
        } else {
            set(opcode, asked.nextPosition(), asked.address(), asked.length(), 0);
        }
    }
}
