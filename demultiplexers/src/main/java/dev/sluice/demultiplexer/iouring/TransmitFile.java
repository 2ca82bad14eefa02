package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SPLICE;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.Transmission;
import dev.sluice.demultiplexer.spi.EventType;

/**
 * Moves a file's bytes to a socket, in rounds of two steps: fill a conduit from the file, drain it into the socket. The
 * head goes when the conduit has been filled for the first time, since only then is it known whether more follows.
 *
 * <p>For a long transmission the conduit is a pipe, through which the kernel moves the pages of the file without a
 * copy. It does so in threads of its own, which costs two hand-overs per round, so a short transmission goes through
 * native memory instead: what is in the page cache is read and sent at once, by the call that submits, and a head and
 * a tail with it.
 */
final class TransmitFile extends Request<Transmission> {

    /**
     * The kernel's ERESTARTSYS, which no user should ever see. A splice runs in a kernel thread; when that thread is
     * interrupted, for example when a debugger attaches to the process, this error leaks out (seen on Linux 6.18).
     */
    private static final int RESTART = -512;

    private static final long NO_OFFSET = -1;

    /** The conduit; null if it is the stage. */
    private PipePool.Pipe pipe;
    private int filled;
    private int drained;
    /** Whether the file has no more bytes. */
    private boolean ended;
    /** The most bytes that the step can move. */
    private long most;

    TransmitFile(Requests requests, Transmission asked) {
        super(requests, asked);
    }

    /** If no pipe is available, a long transmission goes through native memory, too. */
    @Override
    boolean prepare() {
        filled = 0;
        drained = 0;
        ended = false;
        if (asked.fileLeft() > CallMemory.stageSize()) {
            pipe = requests.pipes.take();
        }
        return true;
    }

    private int inConduit() {
        return filled - drained;
    }

    private boolean isFilling() {
        return inConduit() == 0 && !ended && asked.fileLeft() > 0;
    }

    private int file() {
        return (int) asked.fileDescriptor();
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
    void perform() {
        if (isFilling()) {
            fill();
        } else if (pipe == null) {
            sendParts();
        } else if (asked.headLeft() > 0) {
            send(asked.headAddress(), asked.headLeft(), inConduit() > 0 ? SocketConstants.MSG_MORE : 0);
        } else if (inConduit() > 0) {
            boolean tailFollows = asked.tailLeft() > 0 && asked.fileLeft() == inConduit();
            most = inConduit();
            splice(pipe.readEnd(), NO_OFFSET, descriptor(), inConduit(),
                    tailFollows ? FileConstants.SPLICE_F_MORE : 0);
        } else {
            send(asked.tailAddress(), asked.tailLeft(), 0);
        }
    }

    private void fill() {
        int piece = asked.nextOfFile(pipe == null ? CallMemory.stageSize() : PipePool.CAPACITY);
        most = piece;
        if (pipe == null) {
            set(IORING_OP_READ, file(), asked.filePosition(), memory().stage(), piece, 0);
        } else {
            splice(file(), asked.filePosition(), pipe.writeEnd(), piece, 0);
        }
    }

    private void sendParts() {
        long fileBytes = memory().stage() + drained;
        if (asked.headLeft() == 0 && asked.tailLeft() == 0) {
            send(fileBytes, inConduit(), 0);
        } else {
            most = asked.prepareMessage(fileBytes, inConduit());
            setMessage(IORING_OP_SENDMSG, SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_WAITALL);
        }
    }

    private void send(long address, int length, int more) {
        most = length;
        set(IORING_OP_SEND, 0, address, length,
                SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_WAITALL | more);
    }

    private void splice(int from, long offset, int to, int count, int flags) {
        set(IORING_OP_SPLICE, to, NO_OFFSET, offset, count, flags);
        requests.ring.setSpliceSource(from);
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
            finish(asked.done());
        }
    }

    /** {@return whether there is a next step} */
    private boolean advance(int moved) {
        if (isFilling()) {
            filled = moved;
            drained = 0;
            ended = moved == 0;
        } else {
            long before = asked.fileLeft();
            asked.moved(moved);
            drained += (int) (before - asked.fileLeft());
        }
        return ended ? asked.headLeft() > 0 : !asked.areSent();
    }

    @Override
    protected boolean giveUp() {
        if (pipe != null) {
            requests.pipes.giveBack(pipe, inConduit() == 0);
            pipe = null;
        }
        return super.giveUp();
    }
}
