package dev.sluice.mechanism.operation;

/** Moves a datagram, which may be empty, and which one call sends or receives as a whole. */
abstract class DatagramKind extends TransferKind {

    DatagramKind(Direction direction, boolean output) {
        super(direction, output);
    }

    @Override
    final boolean isDatagram() {
        return true;
    }

    @Override
    final boolean needsNoCall(PreparedOperation operation) {
        return false;
    }

    @Override
    final long result(PreparedOperation operation, long lastAttempt) {
        return lastAttempt;
    }
}
