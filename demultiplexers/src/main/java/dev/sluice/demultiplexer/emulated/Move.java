package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;

/** Moves bytes between a socket and buffers, when the socket is ready. */
abstract class Move<A extends Arguments> extends Attempt<A> {

    private final int event;

    /** Creates an execution that waits for an {@link dev.sluice.demultiplexer.spi.EventType}. */
    Move(Emulation emulation, A arguments, int event) {
        super(emulation, arguments);
        this.event = event;
    }

    @Override
    protected void begin() {
        await(event);
    }

    @Override
    final boolean ready(int came) {
        move();
        return true;
    }

    final void move() {
        for (int i = 0; i < Emulation.ATTEMPT_BUDGET; i++) {
            long result = perform();
            if (Errno.EAGAIN.is(result)) {
                break;
            }
            if (!outcomes.hasMore(operation, result)) {
                return;
            }
        }
        await(event);
    }
}
