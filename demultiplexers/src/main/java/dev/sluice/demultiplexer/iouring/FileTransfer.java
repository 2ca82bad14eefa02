package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IOPRIO_CLASS_BE;
import static dev.sluice.calls.layout.IoUringConstants.IOPRIO_CLASS_IDLE;
import static dev.sluice.calls.layout.IoUringConstants.IOPRIO_CLASS_SHIFT;

import dev.sluice.demultiplexer.operation.CachedFile;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.operation.Transfer;

/** Reads from a file or writes to one, with the priority of the association as an I/O priority. */
final class FileTransfer extends FileRequest<Transfer> {

    /** The level of a thread with the default nice value in the best-effort class; 0 is the highest priority. */
    private static final int USUAL_LEVEL = 4;
    private static final int LAST_LEVEL = 7;

    private final int opcode;
    private final int vectorOpcode;

    /** Creates the request for reading or for writing, given the opcodes for one buffer and for several. */
    FileTransfer(Requests requests, Transfer arguments, int opcode, int vectorOpcode) {
        super(requests, arguments);
        this.opcode = opcode;
        this.vectorOpcode = vectorOpcode;
    }

    /** {@inheritDoc} First makes calls for what the cache takes, because the kernel would hand that to a thread. */
    @Override
    boolean prepare() {
        CachedTransfers cached = requests.cached;
        requests.servesFiles = true;
        CachedFile file = ((IoUringAssociation) operation.handleAssociation()).cachedFile(cached);
        long result;
        do {
            result = arguments.isOutput() ? cached.write(arguments, file, descriptor())
                    : cached.read(arguments, file, descriptor());
            if (result == CachedTransfers.NOT_MADE) {
                return super.prepare();
            }
        } while (outcomes.hasMore(operation, result));
        return false;
    }

    @Override
    void perform() {
        if (arguments.isVectored()) {
            set(vectorOpcode, arguments.nextPosition(), memory().vector(), memory().vectorCount(), 0);
        } else {
            set(opcode, arguments.nextPosition(), arguments.address(), arguments.length(), 0);
        }
        requests.ring.setIoprio(ioprio(operation.handleAssociation().priority()));
    }

    /** {@return the I/O priority for a priority} The real-time class is not used, because it needs a privilege. */
    static int ioprio(int priority) {
        if (priority == 0) {
            return 0;
        }
        if (priority < USUAL_LEVEL - LAST_LEVEL) {
            return IOPRIO_CLASS_IDLE << IOPRIO_CLASS_SHIFT;
        }
        return IOPRIO_CLASS_BE << IOPRIO_CLASS_SHIFT | Math.max(0, USUAL_LEVEL - priority);
    }
}
