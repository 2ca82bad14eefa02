package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledBuffer;

/**
 * Receives into provided buffers until the end of the stream. It waits with a receive of no bytes, so that a silent
 * connection holds no buffer, and then takes what there is.
 */
final class ReceiveContinuously extends ReceiveRequest<Arguments> {

    /** Whether there is something to receive. */
    private boolean readable;
    /** What is received into; null while it waits. */
    private PooledBuffer receiving;

    ReceiveContinuously(IocpDemultiplexer demultiplexer, Arguments asked) {
        super(demultiplexer, asked);
    }

    @Override
    void reset() {
        super.reset();
        readable = false;
    }

    @Override
    boolean prepare() {
        if (!readable || receiving != null) {
            return true;
        }
        receiving = outcomes.takeProvidedBuffer(operation);
        return receiving != null;
    }

    @Override
    long perform() {
        return receiving == null
                ? receive(block().vector(block().address(), 0), 1)
                : receiveAtOnce();
    }

    /** Receives what there is into a provided buffer; {@code EAGAIN} if there is nothing. */
    private long receiveAtOnce() {
        PooledBuffer buffer = receiving;
        int result = windows().recv(descriptor(), buffer.address(), buffer.size(), 0);
        return result < 0 ? failure(result) : result;
    }

    @Override
    boolean complete(long result) {
        PooledBuffer buffer = receiving;
        if (buffer == null) {
            readable = result >= 0;
            return result >= 0 || finish(result);
        }
        receiving = null;
        if (result > 0) {
            // If the buffer is not full, it has taken everything there was.
            readable = result == buffer.size();
            operation.association().received((int) result, true);
            outcomes.report(operation, result, buffer.filled((int) result));
            return true;
        }
        buffer.giveBack();
        readable = false;
        return Errno.EAGAIN.is(result) || finish(result);
    }

    @Override
    void releaseResources() {
        PooledBuffer unused = receiving;
        if (unused != null) {
            receiving = null;
            unused.giveBack();
        }
        super.releaseResources();
    }
}
