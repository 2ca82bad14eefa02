package dev.sluice.mechanism.operation;

/** Lets time pass. */
final class TimeoutKind extends Kind {

    TimeoutKind() {
        super(Direction.NONE);
    }

    @Override
    void check(PreparedOperation operation) {
        requireNotNegative(operation.nanos(), "nanos");
    }
}
