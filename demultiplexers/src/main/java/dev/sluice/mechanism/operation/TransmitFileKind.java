package dev.sluice.mechanism.operation;

import dev.sluice.calls.Errno;
import dev.sluice.handle.HandleClosedException;
import java.util.Objects;

/** Sends a part of a file, which it holds open, and what comes before and after it. */
final class TransmitFileKind extends Kind {

    TransmitFileKind() {
        super(Direction.OUTPUT);
    }

    @Override
    void check(PreparedOperation operation) {
        Objects.requireNonNull(operation.file(), "file");
        requireNotNegative(operation.position(), "position");
        requireNotNegative(operation.bytes(), "bytes");
        operation.requireParts();
    }

    @Override
    long prepare(PreparedOperation operation) {
        try {
            operation.holdFile();
            operation.prepareParts();
            return 0;
        } catch (HandleClosedException e) {
            return -Errno.EBADF.number();
        }
    }

    @Override
    boolean needsNoCall(PreparedOperation operation) {
        return operation.parts().areSent();
    }

    @Override
    boolean continuesStream(PreparedOperation operation) {
        return true;
    }

    @Override
    void takeOver(PreparedOperation operation, long result) {
        operation.parts().advance();
    }
}
