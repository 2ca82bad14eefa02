package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SPLICE;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.Transmission;
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
final class TransmitFile extends Request {

    /**
     * The kernel's ERESTARTSYS, which no user should ever see. A splice runs in a kernel thread; when that is
     * interrupted, as when somebody starts tracing the process, this error leaks out (seen on Linux 6.18).
     */
    private static final int RESTART = -512;

    private static final long NO_OFFSET = -1;

    private final PipePool pipes;
    private final Transmission parts;
    /** The conduit; null if it is the stage. */
    private PipePool.Pipe pipe;
    private int filled;
    private int drained;
    /** Whether the file has no more bytes. */
    private boolean ended;
    /** The most bytes that the step can move. */
    private long most;

    TransmitFile(Submissions submissions, Transmission parts, PipePool pipes) {
        super(submissions, parts);
        this.parts = parts;
        this.pipes = pipes;
    }

    /** If no pipe is available, a long transmission goes through native memory, too. */
    @Override
    boolean prepare() {
        filled = 0;
        drained = 0;
        ended = false;
        if (parts.fileLeft() > CallMemory.stageSize()) {
            pipe = pipes.take();
        }
        return true;
    }

    private int inConduit() {
        return filled - drained;
    }

    private boolean isFilling() {
        return inConduit() == 0 && !ended && parts.fileLeft() > 0;
    }

    private int file() {
        return (int) parts.fileDescriptor();
    }

    /** {@return the descriptor to wait for after EAGAIN: the file if the conduit is being filled, or the socket} */
    @Override
    int awaitedDescriptor() {
        return isFilling() ? file() : descriptor();
    }

    @Override
    int awaitedEvent() {
        return isFilling() ? EventType.READ : EventType.WRITE;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        if (isFilling()) {
            fill(entries, at);
        } else if (pipe == null) {
            sendParts(entries, at);
        } else if (parts.headLeft() > 0) {
            send(entries, at, parts.headAddress(), parts.headLeft(), inConduit() > 0 ? SocketConstants.MSG_MORE : 0);
        } else if (inConduit() > 0) {
            boolean tailFollows = parts.tailLeft() > 0 && parts.fileLeft() == inConduit();
            most = inConduit();
            splice(entries, at, pipe.readEnd(), NO_OFFSET, descriptor(), inConduit(),
                    tailFollows ? FileConstants.SPLICE_F_MORE : 0);
        } else {
            send(entries, at, parts.tailAddress(), parts.tailLeft(), 0);
        }
    }

    private void fill(ByteBuffer entries, int at) {
        int piece = parts.nextOfFile(pipe == null ? CallMemory.stageSize() : PipePool.CAPACITY);
        most = piece;
        if (pipe == null) {
            set(entries, at, IORING_OP_READ, file(), parts.filePosition(), memory().stage(), piece, 0);
        } else {
            splice(entries, at, file(), parts.filePosition(), pipe.writeEnd(), piece, 0);
        }
    }

    private void sendParts(ByteBuffer entries, int at) {
        long fileBytes = memory().stage() + drained;
        if (parts.headLeft() == 0 && parts.tailLeft() == 0) {
            send(entries, at, fileBytes, inConduit(), 0);
        } else {
            most = parts.prepareMessage(fileBytes, inConduit());
            setMessage(entries, at, IORING_OP_SENDMSG, SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_WAITALL);
        }
    }

    private void send(ByteBuffer entries, int at, long address, int length, int more) {
        most = length;
        set(entries, at, IORING_OP_SEND, 0, address, length,
                SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_WAITALL | more);
    }

    private void splice(ByteBuffer entries, int at, int from, long offset, int to, int count, int flags) {
        set(entries, at, IORING_OP_SPLICE, to, NO_OFFSET, offset, count, flags);
        IoUringSqe.spliceFrom(entries, at, from);
    }

    @Override
    long most(int flags) {
        return most;
    }

    @Override
    void complete(int result, int flags) {
        if (Errno.EINTR.is(result) || result == RESTART) {
            resume();
        } else if (result < 0) {
            finish(result);
        } else if (advance(result)) {
            resume();
        } else {
            finish(parts.done());
        }
    }

    /** {@return whether there is a next step} */
    private boolean advance(int moved) {
        if (isFilling()) {
            filled = moved;
            drained = 0;
            ended = moved == 0;
        } else {
            long before = parts.fileLeft();
            parts.moved(moved);
            drained += (int) (before - parts.fileLeft());
        }
        return ended ? parts.headLeft() > 0 : !parts.areSent();
    }

    @Override
    void letGo() {
        if (pipe != null) {
            pipes.giveBack(pipe, inConduit() == 0);
            pipe = null;
        }
    }
}
