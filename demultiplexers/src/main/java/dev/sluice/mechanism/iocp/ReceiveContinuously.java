package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.mechanism.operation.FreeBuffers;
import dev.sluice.mechanism.operation.PooledBuffer;

/**
 * Receives into provided buffers until the end of the stream. It waits with a receive of no bytes, so that a silent
 * connection holds no buffer, and then takes what there is.
 */
final class ReceiveContinuously extends Receive {

    private final FreeBuffers freeBuffers = new FreeBuffers();

    ReceiveContinuously(OverlappedCalls calls) {
        super(calls);
    }

    /** Adds a buffer that can be received into. */
    void provide(PooledBuffer buffer) {
        freeBuffers.add(buffer);
    }

    @Override
    boolean prepare(IocpOperation operation) {
        if (!operation.readable || operation.receiving != null) {
            return true;
        }
        if (outcomes().pause(operation)) {
            return false;
        }
        operation.receiving = freeBuffers.take(operation, outcomes().providedBuffers());
        if (operation.receiving == null) {
            outcomes().awaitProvidedBuffer(operation);
            return false;
        }
        return true;
    }

    @Override
    long call(IocpOperation operation) {
        return operation.receiving == null
                ? receive(operation, operation.block.vector(operation.block.address(), 0), 1)
                : receiveAtOnce(operation);
    }

    /** Receives what there is into a provided buffer; {@code EAGAIN} if there is nothing. */
    private long receiveAtOnce(IocpOperation operation) {
        PooledBuffer buffer = operation.receiving;
        int result = windows().recv(operation.descriptor(), buffer.address(), buffer.size(), 0);
        return result < 0 ? failure(result) : result;
    }

    @Override
    boolean completed(IocpOperation operation, long result) {
        PooledBuffer buffer = operation.receiving;
        if (buffer == null) {
            operation.readable = result >= 0;
            return result >= 0 || finish(operation, result);
        }
        operation.receiving = null;
        if (result > 0) {
            // If the buffer is not full, it has taken everything there was.
            operation.readable = result == buffer.size();
            outcomes().providedBuffers().brought(operation, (int) result, true);
            outcomes().report(operation, result, buffer.filled((int) result));
            return true;
        }
        outcomes().providedBuffers().giveBack(buffer);
        operation.readable = false;
        return Errno.EAGAIN.is(result) || finish(operation, result);
    }

    @Override
    void letGo(IocpOperation operation) {
        PooledBuffer unused = operation.receiving;
        if (unused != null) {
            operation.receiving = null;
            outcomes().providedBuffers().giveBack(unused);
        }
        super.letGo(operation);
    }
}
