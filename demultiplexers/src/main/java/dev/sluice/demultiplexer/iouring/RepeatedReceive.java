package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_SOCK_NONEMPTY;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.FreeBuffers;
import dev.sluice.demultiplexer.operation.PooledBuffer;
import java.nio.ByteBuffer;

/**
 * Receives into provided buffers until the end of the stream, with one request with its own buffer for each arrival,
 * for a kernel that cannot choose buffers.
 */
final class RepeatedReceive extends Request {

    private final FreeBuffers buffers;
    /** What is received into; null before the first request, and after each arrival. */
    private PooledBuffer receiving;

    RepeatedReceive(Submissions submissions, Arguments asked, FreeBuffers buffers) {
        super(submissions, asked);
        this.buffers = buffers;
    }

    @Override
    int awaitedEvent() {
        return EventType.READ;
    }

    @Override
    boolean prepare() {
        if (receiving != null) {
            return true;
        }
        if (outcomes().pause(operation())) {
            return false;
        }
        receiving = buffers.take(operation(), outcomes().providedBuffers());
        if (receiving == null) {
            outcomes().awaitProvidedBuffer(operation());
            return false;
        }
        return true;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        set(entries, at, IORING_OP_RECV, 0, receiving.address(), receiving.size(), 0);
    }

    @Override
    long most(int flags) {
        return receiving.size();
    }

    @Override
    void complete(int result, int flags) {
        if (result > 0) {
            PooledBuffer buffer = receiving;
            receiving = null;
            outcomes().providedBuffers().brought(operation(), result, (flags & IORING_CQE_F_SOCK_NONEMPTY) != 0);
            outcomes().report(operation(), result, buffer.filled(result));
            goOn();
        } else {
            ended(result);
        }
    }

    @Override
    void letGo() {
        if (receiving != null) {
            PooledBuffer unused = receiving;
            receiving = null;
            outcomes().providedBuffers().giveBack(unused);
        }
    }
}
