package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IOPRIO_CLASS_BE;
import static dev.sluice.calls.layout.IoUringConstants.IOPRIO_CLASS_IDLE;
import static dev.sluice.calls.layout.IoUringConstants.IOPRIO_CLASS_SHIFT;

import dev.sluice.demultiplexer.operation.Transfer;

/** Reads from a file or writes to one, with the priority of its association as one of the kernel's. */
final class FileTransfer extends Request<Transfer> {

    /** The level of the best-effort class that a thread of ordinary niceness has; 0 is the most urgent. */
    private static final int USUAL_LEVEL = 4;
    private static final int LAST_LEVEL = 7;

    private final int opcode;
    private final int vectorOpcode;

    /** Creates the request for reading or for writing, given the opcodes for one buffer and for several. */
    FileTransfer(Requests requests, Transfer asked, int opcode, int vectorOpcode) {
        super(requests, asked);
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
        requests.ring.setIoprio(ioprio(operation.association().priority()));
    }

    /**
     * {@return what the kernel accepts of every process for a priority} The real-time class, which needs a privilege,
     * is not used.
     */
    private static int ioprio(int priority) {
        if (priority == 0) {
            return 0;
        }
        if (priority < USUAL_LEVEL - LAST_LEVEL) {
            return IOPRIO_CLASS_IDLE << IOPRIO_CLASS_SHIFT;
        }
        return IOPRIO_CLASS_BE << IOPRIO_CLASS_SHIFT | Math.max(0, USUAL_LEVEL - priority);
    }
}
