package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Delay;

/** Completes after a delay. */
final class Timeout extends Attempt<Delay> {

    Timeout(Emulation emulation, Delay delay) {
        super(emulation, delay);
    }

    @Override
    protected void begin() {
        emulation.deadlines.add(arguments);
    }

    @Override
    boolean stop() {
        emulation.deadlines.remove(arguments);
        return true;
    }
}
