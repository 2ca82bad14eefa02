package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SPLICE;

import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.NativeOperation;
import java.nio.ByteBuffer;

/**
 * Moves a file's bytes to a socket, in rounds of two steps: fill a conduit from the file, drain it into the socket.
 *
 * <p>For a long transmission the conduit is a pipe, through which the kernel moves the pages of the file without a
 * copy. It does so in threads of its own, which costs two hand-overs per round, so a short transmission goes through
 * native memory instead: what is in the page cache is read and sent at once, by the call that submits.
 */
final class Transmission {

    private static final long NO_OFFSET = -1;

    private final PipePool pipes;
    private PipePool.Pipe pipe;
    private int filled;
    private int drained;
    private int asked;

    Transmission(PipePool pipes) {
        this.pipes = pipes;
    }

    /**
     * Begins. If no pipe is available, a long transmission goes through native memory, too.
     *
     * @param operation set up
     */
    void begin(NativeOperation operation) {
        filled = 0;
        drained = 0;
        if (operation.bytesLeft() > NativeOperation.stageSize()) {
            pipe = pipes.take();
        }
    }

    private boolean isFilling() {
        return drained == filled;
    }

    /** {@return the descriptor to wait for after EAGAIN: the file while the conduit is empty, otherwise the socket} */
    int awaitedDescriptor(NativeOperation operation) {
        return (int) (isFilling() ? operation.fileDescriptor() : operation.association().descriptor());
    }

    /** {@return the event to wait for on {@link #awaitedDescriptor}} */
    int awaitedEvent() {
        return isFilling() ? EventType.READ : EventType.WRITE;
    }

    /** {@return how many bytes of the file have not gone into the conduit yet} */
    private long ahead(NativeOperation operation) {
        return operation.bytesLeft() - (filled - drained);
    }

    /** Writes the submission for the next step. */
    void encode(NativeOperation operation, ByteBuffer entries, int at) {
        int socket = (int) operation.association().descriptor();
        int piece = (int) Math.min(ahead(operation), pipe == null ? NativeOperation.stageSize() : PipePool.CAPACITY);
        int left = filled - drained;
        asked = isFilling() ? piece : left;
        if (pipe == null && isFilling()) {
            IoUringSqe.set(entries, at, IORING_OP_READ, (int) operation.fileDescriptor(), operation.nextPosition(),
                    operation.stage(), piece, 0, operation.key());
        } else if (pipe == null) {
            IoUringSqe.set(entries, at, IORING_OP_SEND, socket, 0, operation.stage() + drained, left,
                    SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_WAITALL, operation.key());
        } else if (isFilling()) {
            splice(entries, at, (int) operation.fileDescriptor(), operation.nextPosition(), pipe.writeEnd(), piece,
                    operation.key());
        } else {
            splice(entries, at, pipe.readEnd(), NO_OFFSET, socket, left, operation.key());
        }
    }

    private static void splice(ByteBuffer entries, int at, int from, long offset, int to, int count, long key) {
        IoUringSqe.set(entries, at, IORING_OP_SPLICE, to, NO_OFFSET, offset, count, 0, key);
        IoUringSqe.spliceFrom(entries, at, from);
    }

    /** {@return the most bytes that the step can have moved} */
    int most() {
        return asked;
    }

    /**
     * Takes the result of a step.
     *
     * @param operation the operation whose step it was
     * @param moved     bytes, from 0 on
     * @return whether there is a next step
     */
    boolean advance(NativeOperation operation, int moved) {
        if (isFilling()) {
            filled = moved;
            drained = 0;
            // At the end of the file there is nothing to drain.
            return moved > 0;
        }
        drained += moved;
        operation.moved(moved);
        return operation.bytesLeft() > 0;
    }

    /** Gives back the conduit. */
    void end() {
        if (pipe != null) {
            pipes.giveBack(pipe, drained == filled);
            pipe = null;
        }
    }
}
