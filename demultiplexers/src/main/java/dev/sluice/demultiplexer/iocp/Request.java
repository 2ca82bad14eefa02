package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.Outcomes;

/** What an operation of one kind asks of Windows, and what the answers mean. Used only inside. */
abstract class Request extends Execution {

    private final Outcomes outcomes;
    private final Arguments asked;

    Request(Outcomes outcomes, Arguments asked) {
        super(asked);
        this.outcomes = outcomes;
        this.asked = asked;
    }

    final Outcomes outcomes() {
        return outcomes;
    }

    final CallMemory memory() {
        return operation().memory();
    }

    final long descriptor() {
        return asked.descriptor();
    }

    /**
     * Goes on when a packet has come.
     *
     * @param transferred how many bytes the call has moved, as the packet says
     */
    void goOn(long transferred) {
        throw new IllegalStateException("waits for no packet: " + operation());
    }

    /** Takes the result from a thread of the pool. */
    void performed(long result) {
        outcomes.complete(operation(), result);
    }

    /** The operation is over, whatever its outcome: gives back what was borrowed. */
    void letGo() {
    }

    @Override
    protected boolean giveUp() {
        letGo();
        return true;
    }
}
