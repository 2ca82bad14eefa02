package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.handleset.PollBits;
import dev.sluice.demultiplexer.operation.Events;

/** Waits for readiness of a handle. */
final class Poll extends Request<Events> {

    Poll(Requests requests, Events arguments) {
        super(requests, arguments);
    }

    @Override
    void perform() {
        setPoll(descriptor(), arguments.get());
    }

    @Override
    long maxResult(int flags) {
        return ANY;
    }

    @Override
    void complete(int result, int flags) {
        if (result > 0 && (result & GUESSED) != 0) {
            // The repeated request checks the real state.
            resume();
        } else {
            outcomes.complete(operation, result < 0 ? result : PollBits.UNIX.events(result) & arguments.get());
        }
    }
}
