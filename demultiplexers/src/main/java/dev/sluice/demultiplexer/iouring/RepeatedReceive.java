package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_SOCK_NONEMPTY;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledBuffer;
import dev.sluice.demultiplexer.spi.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Receives into provided buffers until the end of the stream, by a request with a buffer for each arrival, for kernels
 * that cannot choose buffers.
 */
final class RepeatedReceive extends Request<Arguments> {

    /** The buffer to receive into; null before the first request, and after each arrival. */
    private @Nullable PooledBuffer receiving;

    RepeatedReceive(Requests requests, Arguments arguments) {
        super(requests, arguments);
    }

    @Override
    int awaitedEvent() {
        return EventType.READ;
    }

    @Override
    boolean prepare() {
        if (receiving == null) {
            receiving = outcomes.takeProvidedBuffer(operation);
        }
        return receiving != null;
    }

    @Override
    void perform() {
        PooledBuffer buffer = receiving;
        assert buffer != null;
        set(IORING_OP_RECV, 0, buffer.address(), buffer.size(), 0);
    }

    @Override
    long maxResult(int flags) {
        assert receiving != null;
        return receiving.size();
    }

    @Override
    void complete(int result, int flags) {
        if (result > 0) {
            PooledBuffer buffer = receiving;
            assert buffer != null;
            receiving = null;
            operation.handleAssociation().received(result, (flags & IORING_CQE_F_SOCK_NONEMPTY) != 0);
            outcomes.report(operation, result, buffer.filled(result));
            requestMore();
        } else {
            ended(result);
        }
    }

    @Override
    protected boolean releaseBorrowed() {
        if (receiving != null) {
            PooledBuffer unused = receiving;
            receiving = null;
            unused.release();
        }
        return super.releaseBorrowed();
    }
}
