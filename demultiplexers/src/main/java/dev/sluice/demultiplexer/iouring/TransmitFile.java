package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SPLICE;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.CachedSend;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.Transmission;
import dev.sluice.demultiplexer.spi.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Sends a part of a file. The thread inside sends what the cache has of a long one ({@link CachedSend}). The kernel
 * sends the rest, in rounds of two steps: a conduit is filled from the file, and drained into the socket. The head is
 * sent when the conduit has been filled for the first time, because only then is it known whether more follows.
 *
 * <p>For a long transmission the conduit is a pipe, through which the kernel moves the pages of the file without a
 * copy. It does so in threads of its own, which costs two hand-overs per round. So a short transmission goes through
 * native memory instead: bytes in the page cache are read and sent by the call that submits, together with a head and a
 * tail.
 */
final class TransmitFile extends FileRequest<Transmission> {

    private static final long NO_OFFSET = -1;

    private final CachedSend cached;
    /** True while the operation waits until the socket is writable, to send from the cache. */
    private boolean awaitsSocket;
    /** The pipe; null if the conduit is native memory. */
    private PipePool.@Nullable Pipe pipe;
    private int filled;
    private int drained;
    /** Whether the end of the file has been reached. */
    private boolean ended;
    /** Whether the file system refuses requests, so that a thread reads the file. */
    private boolean readsByCall;
    /** The maximum number of bytes that the current step can move. */
    private long maxStep;

    TransmitFile(Requests requests, Transmission arguments) {
        super(requests, arguments);
        this.cached = new CachedSend(requests.cached, arguments, true);
    }

    @Override
    boolean prepare() {
        filled = 0;
        drained = 0;
        ended = false;
        readsByCall = false;
        awaitsSocket = false;
        if (arguments.fileLeft() <= CallMemory.stageSize()) {
            return true;
        }
        requests.servesFiles = true;
        cached.begin();
        return sendCached();
    }

    /**
     * Sends what the cache has. If no pipe is available, the kernel sends the rest through native memory.
     *
     * @return whether a request has to be submitted; otherwise the operation waits until the socket is writable, or has
     *         completed
     */
    private boolean sendCached() {
        long result;
        do {
            result = cached.attempt(descriptor());
        } while (result > 0 && !arguments.allSent());
        if (result == CachedTransfers.NOT_MADE) {
            if (pipe == null && arguments.fileLeft() > CallMemory.stageSize()) {
                pipe = requests.pipes.take();
            }
            return true;
        }
        if (Errno.EAGAIN.is(result)) {
            awaitsSocket = true;
            pollAndResume();
        } else {
            finish(result < 0 ? result : arguments.done());
        }
        return false;
    }

    @Override
    void ready() {
        if (!awaitsSocket) {
            resume();
            return;
        }
        awaitsSocket = false;
        if (isCancelled() || sendCached()) {
            resume();
        }
    }

    private int inConduit() {
        return filled - drained;
    }

    private boolean isFilling() {
        return inConduit() == 0 && !ended && arguments.fileLeft() > 0;
    }

    private int file() {
        return (int) arguments.fileDescriptor();
    }

    /**
     * {@return the descriptor to wait for after EAGAIN: the file while the conduit is being filled, otherwise the
     * socket}
     */
    @Override
    int awaitedDescriptor() {
        return awaitsFile() ? file() : descriptor();
    }

    @Override
    int awaitedEvent() {
        return awaitsFile() ? EventType.READ : EventType.WRITE;
    }

    private boolean awaitsFile() {
        return isFilling() && !awaitsSocket;
    }

    @Override
    void perform() {
        PipePool.Pipe conduit = pipe;
        if (isFilling()) {
            fill();
        } else if (conduit == null) {
            sendParts();
        } else if (arguments.headLeft() > 0) {
            send(arguments.headAddress(), arguments.headLeft(), inConduit() > 0 ? SocketConstants.MSG_MORE : 0);
        } else if (inConduit() > 0) {
            boolean tailFollows = arguments.tailLeft() > 0 && arguments.fileLeft() == inConduit();
            maxStep = inConduit();
            splice(conduit.readEnd(), NO_OFFSET, descriptor(), inConduit(),
                    tailFollows ? FileConstants.SPLICE_F_MORE : 0);
        } else {
            send(arguments.tailAddress(), arguments.tailLeft(), 0);
        }
    }

    private void fill() {
        PipePool.Pipe conduit = pipe;
        int piece = arguments.nextOfFile(conduit == null ? CallMemory.stageSize() : PipePool.CAPACITY);
        maxStep = piece;
        if (conduit == null) {
            set(IORING_OP_READ, file(), arguments.filePosition(), memory().stage(), piece, 0);
        } else {
            splice(file(), arguments.filePosition(), conduit.writeEnd(), piece, 0);
        }
    }

    private void sendParts() {
        long fileBytes = memory().stage() + drained;
        if (arguments.headLeft() == 0 && arguments.tailLeft() == 0) {
            send(fileBytes, inConduit(), 0);
        } else {
            maxStep = arguments.prepareMessage(fileBytes, inConduit());
            setMessage(IORING_OP_SENDMSG, SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_WAITALL);
        }
    }

    private void send(long address, int length, int more) {
        maxStep = length;
        set(IORING_OP_SEND, 0, address, length,
                SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_WAITALL | more);
    }

    private void splice(int from, long offset, int to, int count, int flags) {
        set(IORING_OP_SPLICE, to, NO_OFFSET, offset, count, flags);
        requests.ring.setSpliceSource(from);
    }

    @Override
    long maxResult(int flags) {
        return maxStep;
    }

    @Override
    void complete(int result, int flags) {
        // For EINVAL see splice(2): the file system does not support it, and may support a read.
        if (isFilling() && (Errno.EOPNOTSUPP.is(result) || pipe != null && Errno.EINVAL.is(result))) {
            refusedFile();
        } else if (Errno.EINTR.is(result) || result == -ERESTARTSYS) {
            resume();
        } else {
            executed(result);
        }
    }

    /** Requests a read into native memory instead of a splice, and has a thread read if that was refused. */
    private void refusedFile() {
        if (pipe != null) {
            releasePipe();
            resume();
        } else {
            readsByCall = true;
            readByCall();
        }
    }

    private void readByCall() {
        maxStep = arguments.nextOfFile(CallMemory.stageSize());
        memory().stage();
        submitToPool();
    }

    @Override
    long makeCall() {
        return arguments.read(memory().stage(), maxStep);
    }

    @Override
    void executed(long result) {
        if (result < 0) {
            finish(result);
        } else if (!advance((int) result)) {
            finish(arguments.done());
        } else if (readsByCall && isFilling()) {
            readByCall();
        } else if (pipe == null || !isFilling() || isCancelled() || sendCached()) {
            resume();
        }
    }

    /** {@return whether there is a next step} */
    private boolean advance(int moved) {
        if (isFilling()) {
            filled = moved;
            drained = 0;
            ended = moved == 0;
        } else {
            long before = arguments.fileLeft();
            arguments.moved(moved);
            drained += (int) (before - arguments.fileLeft());
        }
        return ended ? arguments.headLeft() > 0 : !arguments.allSent();
    }

    @Override
    protected boolean releaseBorrowed() {
        releasePipe();
        return super.releaseBorrowed();
    }

    private void releasePipe() {
        if (pipe != null) {
            requests.pipes.release(pipe, inConduit() == 0);
            pipe = null;
        }
    }
}
