package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_BUFFER_SHIFT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_BUFFER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_MORE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_RECV_MULTISHOT;
import static dev.sluice.calls.layout.IoUringConstants.IOSQE_BUFFER_SELECT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.mechanism.operation.PooledBuffer;
import dev.sluice.mechanism.operation.ProvidedBuffers;
import java.nio.ByteBuffer;

/** One request for everything that arrives; the kernel chooses a buffer when something does. */
final class MultishotReceive extends ReceiveContinuously {

    private final BufferRing buffers;

    MultishotReceive(IoUringDemultiplexer demultiplexer, BufferRing buffers) {
        super(demultiplexer);
        this.buffers = buffers;
    }

    @Override
    void provide(PooledBuffer buffer) {
        buffers.add(buffer);
    }

    @Override
    boolean prepare(IoUringOperation operation) {
        return !demultiplexer().pause(operation);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        set(operation, entries, at, IORING_OP_RECV, 0, 0, 0, 0);
        IoUringSqe.flags(entries, at, IOSQE_BUFFER_SELECT);
        IoUringSqe.ioprio(entries, at, IORING_RECV_MULTISHOT);
        IoUringSqe.bufferGroup(entries, at, BufferRing.GROUP);
    }

    /** {@return the buffer that a completion names; null if there is none} */
    private PooledBuffer named(int flags) {
        ProvidedBuffers provided = demultiplexer().providedBuffers();
        int number = flags >>> IORING_CQE_BUFFER_SHIFT;
        return (flags & IORING_CQE_F_BUFFER) != 0 && number < provided.count() ? provided.get(number) : null;
    }

    @Override
    long most(IoUringOperation operation, int flags) {
        PooledBuffer buffer = named(flags);
        return buffer == null ? 0 : buffer.size();
    }

    @Override
    void impossible(IoUringOperation operation, int flags) {
        PooledBuffer buffer = named(flags);
        if (buffer != null) {
            buffers.taken();
            demultiplexer().providedBuffers().giveBack(buffer);
        }
        super.impossible(operation, flags);
    }

    @Override
    void completed(IoUringOperation operation, int result, int flags) {
        boolean over = (flags & IORING_CQE_F_MORE) == 0;
        PooledBuffer buffer = named(flags);
        if (buffer != null) {
            buffers.taken();
        }
        boolean paused = operation.pausing && over;
        if (over) {
            operation.pausing = false;
        }
        if (result > 0) {
            received(operation, buffer.filled(result), over);
        } else if (paused && Errno.ECANCELED.is(result)) {
            goOn(operation);
        } else if (Errno.ENOBUFS.is(result)) {
            lackBuffers(operation);
        } else {
            if (buffer != null) {
                demultiplexer().providedBuffers().giveBack(buffer);
            }
            ended(operation, result);
        }
    }

    private void received(IoUringOperation operation, PooledBuffer buffer, boolean over) {
        demultiplexer().report(operation, buffer.buffer().remaining(), buffer);
        if (over) {
            goOn(operation);
        } else if (!operation.pausing && demultiplexer().keepsItsShare(operation)) {
            // What it receives before it is cancelled exceeds the share.
            operation.pausing = true;
            demultiplexer().cancelRequest(operation);
        }
    }

    private void lackBuffers(IoUringOperation operation) {
        if (demultiplexer().pause(operation)) {
            return;
        }
        if (buffers.hasBuffers() || demultiplexer().providedBuffers().grow()) {
            demultiplexer().resume(operation);
        } else {
            demultiplexer().starve(operation);
        }
    }

    @Override
    void letGo(IoUringOperation operation) {
        operation.pausing = false;
    }
}
