package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Deadlines;
import dev.sluice.demultiplexer.operation.Delay;

/** Lets time pass. */
final class Timeout extends Attempt {

    private final Delay delay;
    private final Deadlines deadlines;

    Timeout(Emulation emulation, Delay delay, Deadlines deadlines) {
        super(emulation, delay);
        this.delay = delay;
        this.deadlines = deadlines;
    }

    @Override
    protected void begin() {
        deadlines.add(delay);
    }

    @Override
    boolean stop() {
        deadlines.remove(delay);
        return true;
    }
}
