package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.handleset.PollBits;
import dev.sluice.demultiplexer.operation.Events;

/** Waits for readiness. */
final class Poll extends Request<Events> {

    Poll(Requests requests, Events asked) {
        super(requests, asked);
    }

    @Override
    void perform() {
        setPoll(descriptor(), asked.get());
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
            outcomes.complete(operation, result < 0 ? result : PollBits.UNIX.events(result) & asked.get());
        }
    }
}
