package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SPLICE;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.mechanism.operation.TransmittedParts;
import java.nio.ByteBuffer;

/**
 * Moves a file's bytes to a socket, in rounds of two steps: fill a conduit from the file, drain it into the socket. The
 * head goes when the conduit has been filled for the first time, since only then is it known whether more follows.
 *
 * <p>For a long transmission the conduit is a pipe, through which the kernel moves the pages of the file without a
 * copy. It does so in threads of its own, which costs two hand-overs per round, so a short transmission goes through
 * native memory instead: what is in the page cache is read and sent at once, by the call that submits, and a head and
 * a tail with it.
 */
final class Transmission {

    private static final long NO_OFFSET = -1;

    private final PipePool pipes;
    private PipePool.Pipe pipe;
    private int filled;
    private int drained;
    /** Whether the file has no more bytes. */
    private boolean ended;
    private long asked;

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
        ended = false;
        if (operation.parts().fileLeft() > NativeOperation.stageSize()) {
            pipe = pipes.take();
        }
    }

    private int inConduit() {
        return filled - drained;
    }

    private boolean isFilling(TransmittedParts parts) {
        return inConduit() == 0 && !ended && parts.fileLeft() > 0;
    }

    /** {@return the descriptor to wait for after EAGAIN: the file if the conduit is being filled, or the socket} */
    int awaitedDescriptor(NativeOperation operation) {
        return (int) (isFilling(operation.parts()) ? operation.fileDescriptor()
                : operation.association().descriptor());
    }

    /** {@return the event to wait for on {@link #awaitedDescriptor}} */
    int awaitedEvent(NativeOperation operation) {
        return isFilling(operation.parts()) ? EventType.READ : EventType.WRITE;
    }

    /** Writes the submission for the next step. */
    void encode(NativeOperation operation, ByteBuffer entries, int at) {
        TransmittedParts parts = operation.parts();
        if (isFilling(parts)) {
            fill(operation, parts, entries, at);
        } else if (pipe == null) {
            sendParts(operation, entries, at);
        } else if (parts.headLeft() > 0) {
            send(operation, entries, at, parts.headAddress(), parts.headLeft(),
                    inConduit() > 0 ? SocketConstants.MSG_MORE : 0);
        } else if (inConduit() > 0) {
            boolean tailFollows = parts.tailLeft() > 0 && parts.fileLeft() == inConduit();
            asked = inConduit();
            splice(entries, at, pipe.readEnd(), NO_OFFSET, (int) operation.association().descriptor(), inConduit(),
                    tailFollows ? FileConstants.SPLICE_F_MORE : 0, operation.key());
        } else {
            send(operation, entries, at, parts.tailAddress(), parts.tailLeft(), 0);
        }
    }

    private void fill(NativeOperation operation, TransmittedParts parts, ByteBuffer entries, int at) {
        int most = pipe == null ? NativeOperation.stageSize() : PipePool.CAPACITY;
        int piece = parts.nextOfFile(most);
        int file = (int) operation.fileDescriptor();
        asked = piece;
        if (pipe == null) {
            IoUringSqe.set(entries, at, IORING_OP_READ, file, parts.filePosition(), operation.stage(), piece, 0,
                    operation.key());
        } else {
            splice(entries, at, file, parts.filePosition(), pipe.writeEnd(), piece, 0, operation.key());
        }
    }

    private void sendParts(NativeOperation operation, ByteBuffer entries, int at) {
        long fileBytes = operation.stage() + drained;
        if (operation.parts().headLeft() == 0 && operation.parts().tailLeft() == 0) {
            send(operation, entries, at, fileBytes, inConduit(), 0);
        } else {
            asked = operation.prepareParts(fileBytes, inConduit());
            IoUringSqe.set(entries, at, IORING_OP_SENDMSG, (int) operation.association().descriptor(), 0,
                    operation.message(), 1, SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_WAITALL,
                    operation.key());
        }
    }

    private void send(NativeOperation operation, ByteBuffer entries, int at, long address, int length, int more) {
        asked = length;
        IoUringSqe.set(entries, at, IORING_OP_SEND, (int) operation.association().descriptor(), 0, address, length,
                SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_WAITALL | more, operation.key());
    }

    private static void splice(ByteBuffer entries, int at, int from, long offset, int to, int count, int flags,
            long key) {
        IoUringSqe.set(entries, at, IORING_OP_SPLICE, to, NO_OFFSET, offset, count, flags, key);
        IoUringSqe.spliceFrom(entries, at, from);
    }

    /** {@return the most bytes that the step can have moved} */
    long most() {
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
        TransmittedParts parts = operation.parts();
        if (isFilling(parts)) {
            filled = moved;
            drained = 0;
            ended = moved == 0;
        } else {
            long before = parts.fileLeft();
            operation.moved(moved);
            drained += (int) (before - parts.fileLeft());
        }
        return ended ? parts.headLeft() > 0 : !parts.areSent();
    }

    /** Gives back the conduit. */
    void end() {
        if (pipe != null) {
            pipes.giveBack(pipe, inConduit() == 0);
            pipe = null;
        }
    }
}
