package dev.sluice.mechanism.emulated;

/** Waits for readiness. */
final class Poll extends Execution {

    Poll(Emulation emulation) {
        super(emulation);
    }

    @Override
    void begin(EmulatedOperation operation) {
        emulation().await(operation, operation.awaitedEvents());
    }

    @Override
    boolean ready(EmulatedOperation operation, int came) {
        outcomes().complete(operation, came);
        return true;
    }

    @Override
    boolean isPoll() {
        return true;
    }
}
