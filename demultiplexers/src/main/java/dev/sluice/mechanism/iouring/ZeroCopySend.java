package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_MORE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_NOTIF;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND_ZC;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.SockaddrStorage;
import java.nio.ByteBuffer;

/**
 * Sends from the pages of long buffers without a copy. The kernel answers twice: when it has sent, and when it no
 * longer needs the pages, which the peer may delay as long as it likes.
 */
final class ZeroCopySend extends Send {

    private final int from;

    /** Makes a request that copies sends of fewer than this many bytes. */
    ZeroCopySend(IoUringDemultiplexer demultiplexer, int from) {
        super(demultiplexer);
        this.from = from;
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        // An initiator that is content with a partial send wants to go on before the peer has taken the bytes.
        operation.zeroCopy = !operation.isVectored() && operation.wantsAll() && operation.nextLength() >= from
                && ((IoUringAssociation) operation.association()).zeroCopyWorks;
        if (operation.zeroCopy) {
            set(operation, entries, at, IORING_OP_SEND_ZC, 0, operation.address(), operation.nextLength(),
                    flags(operation));
        } else {
            super.encode(operation, entries, at);
        }
    }

    @Override
    long most(IoUringOperation operation, int flags) {
        return (flags & IORING_CQE_F_NOTIF) != 0 ? ANY : super.most(operation, flags);
    }

    @Override
    void impossible(IoUringOperation operation, int flags) {
        if (operation.zeroCopy && (flags & IORING_CQE_F_MORE) != 0) {
            // The notification follows.
            operation.sent = -Errno.EIO.number();
        } else {
            super.impossible(operation, flags);
        }
    }

    @Override
    void completed(IoUringOperation operation, int result, int flags) {
        if (!operation.zeroCopy) {
            super.completed(operation, result, flags);
        } else if ((flags & IORING_CQE_F_NOTIF) != 0) {
            operation.pinned = false;
            sent(operation, operation.sent, flags);
        } else if ((flags & IORING_CQE_F_MORE) != 0) {
            // The notification follows even a failure, and then at once.
            operation.pinned = result > 0;
            operation.sent = result;
            if (operation.pinned && operation.isCancelRequested()) {
                unpin(operation);
            }
        } else {
            sent(operation, result, flags);
        }
    }

    private void sent(IoUringOperation operation, int result, int flags) {
        if (Errno.ENOMEM.is(result) || Errno.EINVAL.is(result) || Errno.EOPNOTSUPP.is(result)) {
            ((IoUringAssociation) operation.association()).zeroCopyWorks = false;
            demultiplexer().resume(operation);
        } else if (Errno.EAGAIN.is(result)) {
            demultiplexer().pollAndResume(operation);
        } else {
            super.completed(operation, result, flags);
        }
    }

    @Override
    void cancel(IoUringOperation operation) {
        if (operation.pinned) {
            unpin(operation);
        } else {
            super.cancel(operation);
        }
    }

    /**
     * Makes the kernel let go of a buffer that a peer may never take: connecting to AF_UNSPEC dissolves the connection
     * at once, with everything that it was going to send (connect(2)).
     */
    private static void unpin(IoUringOperation operation) {
        try (MemoryBlock nobody = Bindings.current().memory().allocate(SockaddrStorage.SIZE)) {
            // AF_UNSPEC is 0, as is fresh memory. A failure means that the connection no longer exists.
            Bindings.current().posix().connect((int) operation.descriptor(), nobody.address(), SockaddrStorage.SIZE);
        }
    }
}
