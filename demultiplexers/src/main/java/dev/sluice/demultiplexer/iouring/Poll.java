package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.handleset.PollEvents;
import dev.sluice.demultiplexer.operation.Events;
import java.nio.ByteBuffer;

/** Waits for readiness. */
final class Poll extends Request {

    private final Events awaited;

    Poll(Submissions submissions, Events awaited) {
        super(submissions, awaited);
        this.awaited = awaited;
    }

    @Override
    void perform(ByteBuffer entries, int at) {
        setPoll(entries, at, descriptor(), awaited.get());
    }

    @Override
    long most(int flags) {
        return ANY;
    }

    @Override
    void complete(int result, int flags) {
        if (result > 0 && (result & GUESSED) != 0) {
            // When made again, the request checks the real state.
            resume();
        } else {
            outcomes().complete(operation(), result < 0 ? result : PollEvents.fromPoll(result) & awaited.get());
        }
    }
}
