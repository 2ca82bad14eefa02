package dev.sluice.mechanism.emulated;

import dev.sluice.mechanism.operation.Deadlines;
import dev.sluice.mechanism.operation.Delay;

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
