package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_MORE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_NOTIF;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND_ZC;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.demultiplexer.spi.EventType;

/**
 * Sends what buffers hold, or a datagram; from the pages of a long buffer without a copy, if that is wanted. Then the
 * kernel answers twice: when it has sent, and when it no longer needs the pages, which the peer may delay as long as it
 * likes.
 */
final class Send extends Request<Transfer> {

    /** Whether the request in the kernel is one without a copy. */
    private boolean zeroCopy;
    /** How many bytes such a request has sent, or its error. */
    private int sent;
    /** Whether the buffer is still in use although it has been sent. */
    private boolean pinned;

    Send(Requests requests, Transfer asked) {
        super(requests, asked);
    }

    private IoUringAssociation association() {
        return (IoUringAssociation) operation.association();
    }

    @Override
    void perform() {
        boolean vectored = asked.isVectored();
        // An initiator that is content with a partial send wants to go on before the peer has taken the bytes.
        zeroCopy = !vectored && asked.length() >= requests.zeroCopyFrom && asked.wantsAll()
                && association().zeroCopyWorks;
        // MSG_WAITALL makes the kernel itself go on after a short send (io_uring_enter(2), since 5.19).
        int flags = SocketConstants.MSG_NOSIGNAL | (asked.wantsAll() ? SocketConstants.MSG_WAITALL : 0);
        if (vectored) {
            setMessage(IORING_OP_SENDMSG, flags);
        } else {
            set(zeroCopy ? IORING_OP_SEND_ZC : IORING_OP_SEND, 0, asked.address(), asked.length(), flags);
        }
    }

    @Override
    int awaitedEvent() {
        return EventType.WRITE;
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
            if (pinned && operation.isCancelRequested()) {
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
     * Makes the kernel release a buffer that a peer may never take: connecting to AF_UNSPEC dissolves the connection
     * immediately, with everything that it was going to send (connect(2)).
     */
    private void unpin() {
        try (MemoryBlock unspecified = Bindings.current().memory().allocate(SockaddrStorage.SIZE)) {
            // AF_UNSPEC is 0, as is fresh memory. A failure means that the connection no longer exists.
            Bindings.current().posix().connect(descriptor(), unspecified.address(), SockaddrStorage.SIZE);
        }
    }
}
