package dev.sluice.mechanism.emulated;

import dev.sluice.mechanism.operation.Deadlines;

/** Lets time pass. */
final class Timeout extends Execution {

    private final Deadlines deadlines;

    Timeout(Emulation emulation, Deadlines deadlines) {
        super(emulation);
        this.deadlines = deadlines;
    }

    @Override
    void begin(EmulatedOperation operation) {
        deadlines.add(operation);
    }

    @Override
    boolean stop(EmulatedOperation operation) {
        deadlines.remove(operation);
        return true;
    }
}
