package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IOPRIO_CLASS_BE;
import static dev.sluice.calls.layout.IoUringConstants.IOPRIO_CLASS_IDLE;
import static dev.sluice.calls.layout.IoUringConstants.IOPRIO_CLASS_SHIFT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ_FIXED;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITEV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE_FIXED;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.Transfer;

/**
 * The request that reads from a file or writes to one: in registered memory, if its buffer lies in that, and with the
 * priority of the association as an I/O priority.
 */
final class TransferRequest {

    /** The level of a thread with the default nice value in the best-effort class; 0 is the highest priority. */
    private static final int USUAL_LEVEL = 4;
    private static final int LAST_LEVEL = 7;

    private final Request<? extends Transfer> request;
    private final Transfer arguments;
    /** Whether the current request names a registered buffer. */
    private boolean isRegistered;
    /** Whether the next request must not name one, because the kernel has refused one that did. */
    private boolean refused;

    TransferRequest(Request<? extends Transfer> request, Transfer arguments) {
        this.request = request;
        this.arguments = arguments;
    }

    /** Sets the next entry of the submission queue. */
    void set(CallMemory memory) {
        boolean output = arguments.isOutput();
        Ring ring = request.requests.ring;
        long position = arguments.nextPosition();
        int flags = arguments.flags();
        boolean avoided = refused;
        refused = false;
        isRegistered = false;
        if (arguments.isVectored()) {
            request.set(output ? IORING_OP_WRITEV : IORING_OP_READV, position, memory.vector(), memory.vectorCount(),
                    flags);
        } else {
            int entry = avoided ? RegisteredBuffers.NONE
                    : request.requests.registered.find(arguments.address(), arguments.length());
            isRegistered = entry != RegisteredBuffers.NONE;
            request.set(isRegistered ? output ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED
                    : output ? IORING_OP_WRITE : IORING_OP_READ, position, arguments.address(), arguments.length(),
                    flags);
            if (isRegistered) {
                ring.setRegisteredBuffer(entry);
            }
        }
        ring.setIoprio(ioprio(request.operation.handleAssociation().priority()));
    }

    /**
     * {@return whether to repeat the request because its buffer is registered no longer} That ends while a request
     * waits in the submission queue, or for a thread of the kernel.
     */
    boolean isRefused(int result) {
        refused = isRegistered && Errno.EFAULT.is(result);
        return refused;
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
