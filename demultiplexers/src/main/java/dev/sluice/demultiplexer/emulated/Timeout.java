package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Delay;

/** Lets time pass. */
final class Timeout extends Attempt<Delay> {

    Timeout(Emulation emulation, Delay delay) {
        super(emulation, delay);
    }

    @Override
    protected void begin() {
        emulation.deadlines.add(asked);
    }

    @Override
    boolean stop() {
        emulation.deadlines.remove(asked);
        return true;
    }
}
