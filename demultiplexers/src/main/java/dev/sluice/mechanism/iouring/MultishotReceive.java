package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_BUFFER_SHIFT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_BUFFER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_MORE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_RECV_MULTISHOT;
import static dev.sluice.calls.layout.IoUringConstants.IOSQE_BUFFER_SELECT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.mechanism.operation.BufferGroup;
import dev.sluice.mechanism.operation.PooledBuffer;
import dev.sluice.mechanism.operation.ProvidedBuffers;
import java.nio.ByteBuffer;

/**
 * One request for everything that arrives; the kernel chooses a buffer when something does. It does so without asking,
 * as long as it is offered any. So a connection that could exceed its share with what is offered makes a request for
 * each arrival.
 */
final class MultishotReceive extends ReceiveContinuously {

    private final BufferRings rings;

    MultishotReceive(IoUringDemultiplexer demultiplexer, BufferRings rings) {
        super(demultiplexer);
        this.rings = rings;
    }

    @Override
    void provide(PooledBuffer buffer) {
        rings.of(buffer).add(buffer);
    }

    @Override
    boolean prepare(IoUringOperation operation) {
        if (outcomes().pause(operation)) {
            return false;
        }
        operation.buffers = suitable(operation);
        operation.multishot = outcomes().providedBuffers().mayTakeAllOffered(operation);
        return true;
    }

    /** {@return the ring whose buffers suit what the connection has brought until now, and that can have some} */
    private BufferRing suitable(IoUringOperation operation) {
        ProvidedBuffers provided = outcomes().providedBuffers();
        BufferGroup group = provided.groupFor(operation);
        BufferRing ring = rings.of(group);
        boolean lacking = group.number() == ProvidedBuffers.LARGE && !ring.hasBuffers() && !provided.growLarge();
        return lacking ? rings.ordinary() : ring;
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        set(operation, entries, at, IORING_OP_RECV, 0, 0, 0, 0);
        IoUringSqe.flags(entries, at, IOSQE_BUFFER_SELECT);
        if (operation.multishot) {
            IoUringSqe.ioprio(entries, at, IORING_RECV_MULTISHOT);
        }
        IoUringSqe.bufferGroup(entries, at, operation.buffers.group());
    }

    /** {@return the buffer that a completion names; null if there is none} */
    private PooledBuffer named(IoUringOperation operation, int flags) {
        BufferGroup group = outcomes().providedBuffers().group(operation.buffers.group());
        int number = flags >>> IORING_CQE_BUFFER_SHIFT;
        return (flags & IORING_CQE_F_BUFFER) != 0 && number < group.count() ? group.get(number) : null;
    }

    @Override
    long most(IoUringOperation operation, int flags) {
        PooledBuffer buffer = named(operation, flags);
        return buffer == null ? 0 : buffer.size();
    }

    @Override
    void impossible(IoUringOperation operation, int flags) {
        PooledBuffer buffer = named(operation, flags);
        if (buffer != null) {
            operation.buffers.taken();
            outcomes().providedBuffers().giveBack(buffer);
        }
        super.impossible(operation, flags);
    }

    @Override
    void completed(IoUringOperation operation, int result, int flags) {
        boolean over = (flags & IORING_CQE_F_MORE) == 0;
        PooledBuffer buffer = named(operation, flags);
        if (buffer != null) {
            operation.buffers.taken();
        }
        boolean paused = operation.pausing && over;
        if (over) {
            operation.pausing = false;
        }
        if (result > 0) {
            received(operation, buffer.filled(result), flags);
        } else if (paused && Errno.ECANCELED.is(result)) {
            goOn(operation);
        } else if (Errno.ENOBUFS.is(result)) {
            lackBuffers(operation);
        } else {
            if (buffer != null) {
                outcomes().providedBuffers().giveBack(buffer);
            }
            ended(operation, result);
        }
    }

    private void received(IoUringOperation operation, PooledBuffer buffer, int flags) {
        boolean over = (flags & IORING_CQE_F_MORE) == 0;
        brought(operation, buffer.buffer().remaining(), flags);
        outcomes().report(operation, buffer.buffer().remaining(), buffer);
        if (over) {
            goOn(operation);
        } else if (!operation.pausing
                && (!outcomes().providedBuffers().mayTakeAllOffered(operation)
                        || suitable(operation) != operation.buffers)) {
            // What it receives before it is cancelled is in buffers that do not suit it, or part of what is left of
            // its share.
            operation.pausing = true;
            demultiplexer().cancelRequest(operation);
        }
    }

    private void lackBuffers(IoUringOperation operation) {
        if (outcomes().pause(operation)) {
            return;
        }
        operation.buffers = suitable(operation);
        if (operation.buffers.hasBuffers() || outcomes().providedBuffers().growOrdinary(operation)) {
            demultiplexer().resume(operation);
        } else {
            outcomes().awaitProvidedBuffer(operation);
        }
    }

    @Override
    void letGo(IoUringOperation operation) {
        operation.pausing = false;
    }
}
