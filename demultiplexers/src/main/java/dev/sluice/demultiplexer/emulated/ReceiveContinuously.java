package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.PooledBuffer;
import dev.sluice.demultiplexer.spi.EventType;

/** Receives into provided buffers until the end of the stream. */
final class ReceiveContinuously extends Attempt<Arguments> {

    ReceiveContinuously(Emulation emulation, Arguments arguments) {
        super(emulation, arguments);
    }

    @Override
    protected void begin() {
        await(EventType.READ);
    }

    @Override
    boolean ready(int came) {
        boolean drained = false;
        int left = Emulation.ATTEMPT_BUDGET;
        while (left > 0 && !drained) {
            PooledBuffer buffer = outcomes.takeProvidedBuffer(operation);
            if (buffer == null) {
                return true;
            }
            long result = receive(buffer);
            if (result > 0) {
                association().received((int) result, true);
                outcomes.report(operation, result, buffer.filled((int) result));
                drained = result < buffer.size();
                // Filling a large buffer takes as long as filling many ordinary ones.
                left -= buffer.group().places();
            } else {
                buffer.release();
                if (!Errno.EAGAIN.is(result)) {
                    outcomes.complete(operation, result);
                    return true;
                }
                drained = true;
            }
        }
        await(EventType.READ);
        return true;
    }

    private long receive(PooledBuffer buffer) {
        boolean called = false;
        try {
            long result;
            do {
                result = emulation.posix.recv(descriptor(), buffer.address(), buffer.size(), 0);
            } while (Errno.EINTR.is(result));
            called = true;
            return result;
        } finally {
            if (!called) {
                buffer.release();
            }
        }
    }
}
