package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.operation.Transfer;
import java.nio.ByteBuffer;

/** Reads from a file or writes to one. */
final class FileTransfer extends Request {

    private final Transfer asked;
    private final int opcode;
    private final int vectorOpcode;

    /** Makes the request for reading or for writing, given the opcodes for one buffer and for several. */
    FileTransfer(Submissions submissions, Transfer asked, int opcode, int vectorOpcode) {
        super(submissions, asked);
        this.asked = asked;
        this.opcode = opcode;
        this.vectorOpcode = vectorOpcode;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        if (asked.isVectored()) {
            set(entries, at, vectorOpcode, asked.nextPosition(), memory().vector(), memory().vectorCount(), 0);
        } else {
            set(entries, at, opcode, asked.nextPosition(), asked.address(), asked.length(), 0);
        }
    }
}
