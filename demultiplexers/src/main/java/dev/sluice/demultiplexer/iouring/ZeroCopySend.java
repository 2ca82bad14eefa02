package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_MORE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_NOTIF;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND_ZC;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.demultiplexer.operation.Transfer;
import java.nio.ByteBuffer;

/**
 * Sends from the pages of long buffers without a copy. The kernel answers twice: when it has sent, and when it no
 * longer needs the pages, which the peer may delay as long as it likes.
 */
final class ZeroCopySend extends Send {

    private final int from;
    /** Whether the request in the kernel is one without a copy. */
    private boolean zeroCopy;
    /** How many bytes such a request has sent, or its error. */
    private int sent;
    /** Whether the buffer is still in use although it has been sent. */
    private boolean pinned;

    /** Makes a request that copies sends of fewer than this many bytes. */
    ZeroCopySend(Submissions submissions, Transfer asked, int from) {
        super(submissions, asked);
        this.from = from;
    }

    private IoUringAssociation association() {
        return (IoUringAssociation) operation().association();
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        // An initiator that is content with a partial send wants to go on before the peer has taken the bytes.
        zeroCopy = !asked().isVectored() && asked().wantsAll() && asked().length() >= from
                && association().zeroCopyWorks;
        if (zeroCopy) {
            set(entries, at, IORING_OP_SEND_ZC, 0, asked().address(), asked().length(), flags());
        } else {
            super.perform(entries, at);
        }
    }

    @Override
    long most(int flags) {
        return (flags & IORING_CQE_F_NOTIF) != 0 ? ANY : super.most(flags);
    }

    @Override
    void impossible(int flags) {
        if (zeroCopy && (flags & IORING_CQE_F_MORE) != 0) {
            // The notification follows.
            sent = -Errno.EIO.number();
        } else {
            super.impossible(flags);
        }
    }

    @Override
    void complete(int result, int flags) {
        if (!zeroCopy) {
            super.complete(result, flags);
        } else if ((flags & IORING_CQE_F_NOTIF) != 0) {
            pinned = false;
            sent(sent, flags);
        } else if ((flags & IORING_CQE_F_MORE) != 0) {
            // The notification follows even a failure, and then at once.
            pinned = result > 0;
            sent = result;
            if (pinned && operation().isCancelRequested()) {
                unpin();
            }
        } else {
            sent(result, flags);
        }
    }

    private void sent(int result, int flags) {
        if (Errno.ENOMEM.is(result) || Errno.EINVAL.is(result) || Errno.EOPNOTSUPP.is(result)) {
            association().zeroCopyWorks = false;
            resume();
        } else if (Errno.EAGAIN.is(result)) {
            pollAndResume();
        } else {
            super.complete(result, flags);
        }
    }

    @Override
    protected void cancel() {
        if (pinned) {
            unpin();
        } else {
            super.cancel();
        }
    }

    /**
     * Makes the kernel let go of a buffer that a peer may never take: connecting to AF_UNSPEC dissolves the connection
     * at once, with everything that it was going to send (connect(2)).
     */
    private void unpin() {
        try (MemoryBlock nobody = Bindings.current().memory().allocate(SockaddrStorage.SIZE)) {
            // AF_UNSPEC is 0, as is fresh memory. A failure means that the connection no longer exists.
            Bindings.current().posix().connect(descriptor(), nobody.address(), SockaddrStorage.SIZE);
        }
    }
}
