package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.FreeBuffers;
import dev.sluice.mechanism.operation.PooledBuffer;

/** Receives into provided buffers until the end of the stream. */
final class ReceiveContinuously extends Execution {

    private final Posix posix;
    private final FreeBuffers freeBuffers = new FreeBuffers();

    ReceiveContinuously(Emulation emulation, Posix posix) {
        super(emulation);
        this.posix = posix;
    }

    void provide(PooledBuffer buffer) {
        freeBuffers.add(buffer);
    }

    @Override
    void begin(EmulatedOperation operation) {
        emulation().await(operation, EventType.READ);
    }

    @Override
    boolean ready(EmulatedOperation operation, int came) {
        boolean drained = false;
        int left = Emulation.ATTEMPTS_PER_TURN;
        while (left > 0 && !drained) {
            if (outcomes().pause(operation)) {
                return true;
            }
            PooledBuffer buffer = freeBuffers.take(operation, outcomes().providedBuffers());
            if (buffer == null) {
                outcomes().awaitProvidedBuffer(operation);
                return true;
            }
            long result = receive(operation, buffer);
            if (result > 0) {
                outcomes().providedBuffers().brought(operation, (int) result, true);
                outcomes().report(operation, result, buffer.filled((int) result));
                drained = result < buffer.size();
                // To fill a large one takes as long as to fill many ordinary ones.
                left -= buffer.group().places();
            } else {
                outcomes().providedBuffers().giveBack(buffer);
                if (!Errno.EAGAIN.is(result)) {
                    outcomes().complete(operation, result);
                    return true;
                }
                drained = true;
            }
        }
        emulation().await(operation, EventType.READ);
        return true;
    }

    private long receive(EmulatedOperation operation, PooledBuffer buffer) {
        boolean called = false;
        try {
            long result;
            do {
                result = posix.recv(descriptor(operation), buffer.address(), buffer.size(), 0);
            } while (Errno.EINTR.is(result));
            called = true;
            return result;
        } finally {
            if (!called) {
                outcomes().providedBuffers().giveBack(buffer);
            }
        }
    }
}
