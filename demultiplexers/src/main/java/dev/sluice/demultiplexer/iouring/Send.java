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
 * Sends the bytes of buffers, or a datagram. A long buffer may be sent without a copy: then the kernel reports two
 * completions, when it has sent the bytes, and when it no longer uses the pages, which the peer may delay forever.
 */
final class Send extends Request<Transfer> {

    /** Whether the current request sends without a copy. */
    private boolean zeroCopy;
    /** The number of bytes that such a request has sent, or its error. */
    private int sent;
    /** Whether the kernel still uses the buffer although the bytes have been sent. */
    private boolean pinned;

    Send(Requests requests, Transfer arguments) {
        super(requests, arguments);
    }

    private IoUringAssociation association() {
        return (IoUringAssociation) operation.handleAssociation();
    }

    @Override
    void perform() {
        boolean vectored = arguments.isVectored();
        // A caller that accepts a partial send should not have to wait for the peer's acknowledgement.
        zeroCopy = !vectored && arguments.length() >= requests.zeroCopyFrom && arguments.wantsAll()
                && association().zeroCopyWorks;
        // MSG_WAITALL makes the kernel continue after a short send (io_uring_enter(2), since 5.19).
        int flags = SocketConstants.MSG_NOSIGNAL | (arguments.wantsAll() ? SocketConstants.MSG_WAITALL : 0);
        if (vectored) {
            setMessage(IORING_OP_SENDMSG, flags);
        } else {
            set(zeroCopy ? IORING_OP_SEND_ZC : IORING_OP_SEND, 0, arguments.address(), arguments.length(), flags);
        }
    }

    @Override
    int awaitedEvent() {
        return EventType.WRITE;
    }

    @Override
    long maxResult(int flags) {
        return (flags & IORING_CQE_F_NOTIF) != 0 ? ANY : super.maxResult(flags);
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
            if (sent < 0 && isDropped(sent)) {
                resume();
            } else {
                sent(sent, flags);
            }
        } else if ((flags & IORING_CQE_F_MORE) != 0) {
            // The notification follows even after a failure, and then immediately.
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
     * Makes the kernel release a buffer that the peer may never acknowledge: connecting to AF_UNSPEC dissolves the
     * connection immediately, with all unsent bytes (connect(2)).
     */
    private void unpin() {
        try (MemoryBlock unspecified = Bindings.current().memory().allocate(SockaddrStorage.SIZE)) {
            // AF_UNSPEC is 0, as is new memory. A failure means that the connection no longer exists.
            Bindings.current().posix().connect(descriptor(), unspecified.address(), SockaddrStorage.SIZE);
        }
    }
}
