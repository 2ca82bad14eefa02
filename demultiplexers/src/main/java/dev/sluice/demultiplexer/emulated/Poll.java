package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Events;

/** Waits for readiness. */
final class Poll extends Attempt<Events> {

    Poll(Emulation emulation, Events arguments) {
        super(emulation, arguments);
    }

    @Override
    protected void begin() {
        await(arguments.get());
    }

    @Override
    boolean ready(int came) {
        outcomes.complete(operation, came);
        return true;
    }

    @Override
    boolean isPoll() {
        return true;
    }
}
