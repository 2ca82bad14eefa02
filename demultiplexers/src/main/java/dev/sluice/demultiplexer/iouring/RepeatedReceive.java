package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_CQE_F_SOCK_NONEMPTY;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledBuffer;
import dev.sluice.demultiplexer.spi.EventType;

/**
 * Receives into provided buffers until the end of the stream, with one request with its own buffer for each arrival,
 * for a kernel that cannot choose buffers.
 */
final class RepeatedReceive extends Request<Arguments> {

    /** What is received into; null before the first request, and after each arrival. */
    private PooledBuffer receiving;

    RepeatedReceive(Requests requests, Arguments asked) {
        super(requests, asked);
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
        set(IORING_OP_RECV, 0, receiving.address(), receiving.size(), 0);
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
            operation.association().received(result, (flags & IORING_CQE_F_SOCK_NONEMPTY) != 0);
            outcomes.report(operation, result, buffer.filled(result));
            goOn();
        } else {
            ended(result);
        }
    }

    @Override
    protected boolean giveUp() {
        if (receiving != null) {
            PooledBuffer unused = receiving;
            receiving = null;
            unused.giveBack();
        }
        return super.giveUp();
    }
}
