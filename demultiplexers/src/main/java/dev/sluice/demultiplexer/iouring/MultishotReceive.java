package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_BUFFER_SHIFT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_BUFFER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_MORE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_SOCK_NONEMPTY;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_RECV_MULTISHOT;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledBuffer;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Receives into provided buffers until the end of the stream, by one request. The kernel takes a buffer from a ring
 * whenever bytes arrive, as long as the ring has any. A connection that could exceed its share with the offered buffers
 * therefore uses a request for each arrival.
 */
final class MultishotReceive extends Request<Arguments> {

    private final BufferRing ordinary;
    private final ProvidedBuffers provided;
    /** The ring from which the kernel takes buffers. */
    private BufferRing buffers;
    /** Whether the request continues after an arrival, until it is cancelled. */
    private boolean multishot;
    /**
     * Whether the request is being cancelled because the connection retains too many buffers or should use the other
     * ring.
     */
    private boolean pausing;

    MultishotReceive(Requests requests, Arguments arguments, BufferRing ordinary) {
        super(requests, arguments);
        this.ordinary = ordinary;
        this.buffers = ordinary;
        this.provided = outcomes.providedBuffers();
    }

    @Override
    int awaitedEvent() {
        return EventType.READ;
    }

    @Override
    boolean prepare() {
        if (outcomes.pause(operation)) {
            return false;
        }
        buffers = suitable();
        multishot = operation.mayTakeAllOffered();
        return true;
    }

    /**
     * {@return the ring of large buffers if the connection prefers them and there are any, otherwise that of ordinary
     * ones}
     */
    private BufferRing suitable() {
        BufferRing large = ordinary.large();
        return large != null && operation.handleAssociation().prefersLargeBuffers()
                && (large.hasBuffers() || provided.growLarge()) ? large : ordinary;
    }

    @Override
    void perform() {
        set(IORING_OP_RECV, 0, 0, 0, 0);
        requests.ring.selectBuffer(buffers.number());
        if (multishot) {
            requests.ring.setIoprio(IORING_RECV_MULTISHOT);
        }
    }

    /** {@return the buffer of a completion; null if it has none} */
    private @Nullable PooledBuffer named(int flags) {
        return (flags & IORING_CQE_F_BUFFER) == 0 ? null
                : buffers.get(flags >>> IORING_CQE_BUFFER_SHIFT);
    }

    /** {@inheritDoc} Frees the buffer of a request that has failed, which the kernel may have taken before. */
    @Override
    void take(int result, int flags) {
        PooledBuffer unused = result < 0 ? named(flags) : null;
        if (unused == null) {
            super.take(result, flags);
        } else {
            buffers.taken();
            unused.release();
            super.take(result, flags & ~IORING_CQE_F_BUFFER);
        }
    }

    @Override
    long maxResult(int flags) {
        PooledBuffer buffer = named(flags);
        return buffer == null ? 0 : buffer.size();
    }

    @Override
    void impossible(int flags) {
        PooledBuffer buffer = named(flags);
        if (buffer != null) {
            buffers.taken();
            buffer.release();
        }
        super.impossible(flags);
    }

    @Override
    void complete(int result, int flags) {
        boolean over = (flags & IORING_CQE_F_MORE) == 0;
        PooledBuffer buffer = named(flags);
        if (buffer != null) {
            buffers.taken();
        }
        boolean paused = pausing && over;
        if (over) {
            pausing = false;
        }
        if (result > 0) {
            assert buffer != null;
            received(buffer.filled(result), flags);
        } else if (paused && Errno.ECANCELED.is(result)) {
            requestMore();
        } else if (Errno.ENOBUFS.is(result)) {
            lackBuffers();
        } else {
            if (buffer != null) {
                buffer.release();
            }
            ended(result);
        }
    }

    private void received(PooledBuffer buffer, int flags) {
        boolean over = (flags & IORING_CQE_F_MORE) == 0;
        int bytes = buffer.bytes().remaining();
        operation.handleAssociation().received(bytes, (flags & IORING_CQE_F_SOCK_NONEMPTY) != 0);
        outcomes.report(operation, bytes, buffer);
        if (over) {
            requestMore();
        } else if (!pausing && (!operation.mayTakeAllOffered() || suitable() != buffers)) {
            // Until it is cancelled, the request may receive into buffers of the wrong size, or into the rest of its
            // share.
            pausing = true;
            super.cancel();
        }
    }

    private void lackBuffers() {
        if (outcomes.pause(operation)) {
            return;
        }
        buffers = suitable();
        if (buffers.areOffered()) {
            resume();
            return;
        }
        if (!buffers.hasBuffers()) {
            provided.growOrdinary(operation);
        }
        // In turn, even if some are free: of thousands of requests, the few buffers that are offered at a time would
        // serve a few, and the others would fail again.
        outcomes.awaitProvidedBuffer(operation);
    }

    @Override
    void refused() {
        pausing = false;
    }

    @Override
    boolean isToEnd() {
        return pausing || super.isToEnd();
    }

    @Override
    protected boolean releaseBorrowed() {
        pausing = false;
        return super.releaseBorrowed();
    }
}
