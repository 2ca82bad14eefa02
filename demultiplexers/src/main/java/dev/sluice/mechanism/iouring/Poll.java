package dev.sluice.mechanism.iouring;

import dev.sluice.mechanism.handleset.PollEvents;
import java.nio.ByteBuffer;

/** Waits for readiness. */
final class Poll extends Request {

    Poll(IoUringDemultiplexer demultiplexer) {
        super(demultiplexer);
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        setPoll(operation, entries, at, (int) operation.descriptor(), operation.awaitedEvents());
    }

    @Override
    long most(IoUringOperation operation, int flags) {
        return ANY;
    }

    @Override
    void completed(IoUringOperation operation, int result, int flags) {
        if (result > 0 && (result & GUESSED) != 0) {
            // When made again, the request checks the real state.
            demultiplexer().resume(operation);
        } else {
            outcomes().complete(operation,
                    result < 0 ? result : PollEvents.fromPoll(result) & operation.awaitedEvents());
        }
    }
}
