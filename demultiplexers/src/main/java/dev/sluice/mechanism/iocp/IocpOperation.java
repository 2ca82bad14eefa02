package dev.sluice.mechanism.iocp;

import dev.sluice.calls.layout.Wsabuf;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.mechanism.operation.OperationProcessor;
import dev.sluice.mechanism.operation.PooledBuffer;
import dev.sluice.mechanism.operation.PooledCall;

/** An operation, and what its {@link Request} needs to remember about it. Used only inside. */
final class IocpOperation extends NativeOperation {

    static final long NO_SOCKET = -1;

    /** What it asks of the system; null if it has never been begun. */
    Request request;
    /** The structures of its overlapped calls; null if it makes none. */
    OverlappedPool.Block block;
    /** Whether a packet will come for it. */
    boolean pending;
    /** Whether that packet is our own, which tells that others have had their turn. */
    boolean yielding;
    /** Whether its last call has failed without a packet. */
    boolean failedAtOnce;
    /** The socket into which a connection is accepted. */
    long socket = NO_SOCKET;
    /** Whether a continuous receive has found that there is something to receive. */
    boolean readable;
    /** The buffer of a continuous receive that is receiving. */
    PooledBuffer receiving;
    /** The element of the vector that a file call moves. */
    int element;
    /** How many bytes the latest call of a transmission may send. */
    int asked;
    /** How many bytes the elements before it have moved. */
    long movedBefore;
    /** Whether its handle has been shut down for receiving, which does not end a call by itself. */
    boolean shutDown;
    /** The latest call that a thread of the pool was to make for it, null if there was none. */
    PooledCall pooled;
    private RequestedCall requested;

    IocpOperation(OperationProcessor processor) {
        super(processor);
    }

    /** {@return the call that it stands for; made once, since it may be made again and again} */
    PooledCall requested() {
        if (requested == null) {
            requested = new RequestedCall(this);
        }
        return requested;
    }

    /** Prepares it for its first call. */
    void reset() {
        readable = false;
        shutDown = false;
        element = 0;
        movedBefore = 0;
    }

    /** {@return the address of an element of its vector} */
    long elementAddress(int index) {
        return structure().getLong(vectorAt() + index * Wsabuf.SIZE + Wsabuf.BUF);
    }

    /** {@return the length of an element of its vector in bytes} */
    int elementLength(int index) {
        return structure().getInt(vectorAt() + index * Wsabuf.SIZE + Wsabuf.LEN);
    }
}
