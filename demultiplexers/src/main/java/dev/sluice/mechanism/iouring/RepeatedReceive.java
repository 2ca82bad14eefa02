package dev.sluice.mechanism.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;

import dev.sluice.mechanism.operation.FreeBuffers;
import dev.sluice.mechanism.operation.PooledBuffer;
import java.nio.ByteBuffer;

/** One request with its own buffer for each arrival, for a kernel that cannot choose buffers. */
final class RepeatedReceive extends ReceiveContinuously {

    private final FreeBuffers buffers = new FreeBuffers();

    RepeatedReceive(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void provide(PooledBuffer buffer) {
        buffers.add(buffer);
    }

    @Override
    boolean prepare(IoUringOperation operation) {
        if (operation.receiving != null) {
            return true;
        }
        if (outcomes().pause(operation)) {
            return false;
        }
        operation.receiving = buffers.take(operation, outcomes().providedBuffers());
        if (operation.receiving == null) {
            outcomes().awaitProvidedBuffer(operation);
            return false;
        }
        return true;
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        set(operation, entries, at, IORING_OP_RECV, 0, operation.receiving.address(), operation.receiving.size(), 0);
    }

    @Override
    long most(IoUringOperation operation, int flags) {
        return operation.receiving.size();
    }

    @Override
    void completed(IoUringOperation operation, int result, int flags) {
        if (result > 0) {
            PooledBuffer buffer = operation.receiving;
            operation.receiving = null;
            brought(operation, result, flags);
            outcomes().report(operation, result, buffer.filled(result));
            goOn(operation);
        } else {
            ended(operation, result);
        }
    }

    @Override
    void letGo(IoUringOperation operation) {
        if (operation.receiving != null) {
            PooledBuffer unused = operation.receiving;
            operation.receiving = null;
            outcomes().providedBuffers().giveBack(unused);
        }
    }
}
