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

/**
 * Receives into provided buffers until the end of the stream, with one request for everything that arrives; the kernel
 * chooses a buffer, from the ring of its group, when something does. It does so without asking, as long as it is
 * offered any. So a connection that could exceed its share with what is offered makes a request for each arrival.
 */
final class MultishotReceive extends Request<Arguments> {

    private final BufferRing ordinary;
    private final ProvidedBuffers provided;
    /** From where the kernel takes the buffers. */
    private BufferRing buffers;
    /** Whether the request takes a buffer for each arrival until it is cancelled. */
    private boolean multishot;
    /** Whether the request is being cancelled because the connection keeps too many buffers or should have others. */
    private boolean pausing;

    MultishotReceive(Requests requests, Arguments asked) {
        super(requests, asked);
        this.ordinary = requests.bufferRing;
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
        multishot = operation.association().mayTakeAllOffered();
        return true;
    }

    /** {@return the ring whose buffers suit what the connection has received until now, and that can have some} */
    private BufferRing suitable() {
        return operation.association().prefersLargeBuffers() && (ordinary.large().hasBuffers() || provided.growLarge())
                ? ordinary.large() : ordinary;
    }

    @Override
    void perform() {
        set(IORING_OP_RECV, 0, 0, 0, 0);
        requests.ring.selectBuffer(buffers.number());
        if (multishot) {
            requests.ring.setIoprio(IORING_RECV_MULTISHOT);
        }
    }

    /** {@return the buffer that a completion names; null if there is none} */
    private PooledBuffer named(int flags) {
        return (flags & IORING_CQE_F_BUFFER) == 0 ? null
                : buffers.get(flags >>> IORING_CQE_BUFFER_SHIFT);
    }

    @Override
    long most(int flags) {
        PooledBuffer buffer = named(flags);
        return buffer == null ? 0 : buffer.size();
    }

    @Override
    void impossible(int flags) {
        PooledBuffer buffer = named(flags);
        if (buffer != null) {
            buffers.taken();
            buffer.giveBack();
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
            received(buffer.filled(result), flags);
        } else if (paused && Errno.ECANCELED.is(result)) {
            goOn();
        } else if (Errno.ENOBUFS.is(result)) {
            lackBuffers();
        } else {
            if (buffer != null) {
                buffer.giveBack();
            }
            ended(result);
        }
    }

    private void received(PooledBuffer buffer, int flags) {
        boolean over = (flags & IORING_CQE_F_MORE) == 0;
        int bytes = buffer.bytes().remaining();
        operation.association().received(bytes, (flags & IORING_CQE_F_SOCK_NONEMPTY) != 0);
        outcomes.report(operation, bytes, buffer);
        if (over) {
            goOn();
        } else if (!pausing
                && (!operation.association().mayTakeAllOffered() || suitable() != buffers)) {
            // What it receives before it is cancelled is in buffers that do not suit it, or part of what is left of
            // its share.
            pausing = true;
            super.cancel();
        }
    }

    private void lackBuffers() {
        if (outcomes.pause(operation)) {
            return;
        }
        buffers = suitable();
        if (buffers.hasBuffers() || provided.growOrdinary(operation)) {
            resume();
        } else {
            outcomes.awaitProvidedBuffer(operation);
        }
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
    protected boolean giveUp() {
        pausing = false;
        return super.giveUp();
    }
}
