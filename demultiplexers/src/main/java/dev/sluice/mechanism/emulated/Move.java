package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.EventType;

/** Moves bytes between a socket and buffers, when the socket is ready. */
abstract class Move extends Execution {

    private final int awaited;

    /** Makes an execution that waits for an {@link EventType}. */
    Move(Emulation emulation, int awaited) {
        super(emulation);
        this.awaited = awaited;
    }

    @Override
    void begin(EmulatedOperation operation) {
        emulation().await(operation, awaited);
    }

    @Override
    final boolean ready(EmulatedOperation operation, int came) {
        move(operation);
        return true;
    }

    final void move(EmulatedOperation operation) {
        for (int i = 0; i < Emulation.ATTEMPTS_PER_TURN; i++) {
            long result = perform(operation);
            if (Errno.EAGAIN.is(result)) {
                break;
            }
            if (!outcomes().hasMore(operation, result)) {
                return;
            }
        }
        emulation().await(operation, awaited);
    }
}
