package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Receives into provided buffers until the end of the stream. Waits by a receive of no bytes, so that an idle
 * connection needs no buffer, and then receives the available bytes.
 */
final class ReceiveContinuously extends ReceiveRequest<Arguments> {

    /** Whether bytes, or the end of the stream, may be available. */
    private boolean readable;
    /** The buffer to receive into; null while the operation waits. */
    private @Nullable PooledBuffer receiving;

    ReceiveContinuously(IocpDemultiplexer demultiplexer, Arguments arguments) {
        super(demultiplexer, arguments);
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

    /** Receives available bytes into a provided buffer; results in {@code EAGAIN} if there are none. */
    private long receiveAtOnce() {
        PooledBuffer buffer = receiving;
        assert buffer != null;
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
            // If the buffer is not full, no more bytes were available.
            readable = result == buffer.size();
            operation.handleAssociation().received((int) result, true);
            outcomes.report(operation, result, buffer.filled((int) result));
            return true;
        }
        buffer.release();
        readable = false;
        return Errno.EAGAIN.is(result) || finish(result);
    }

    @Override
    void releaseResources() {
        PooledBuffer unused = receiving;
        if (unused != null) {
            receiving = null;
            unused.release();
        }
        super.releaseResources();
    }
}
