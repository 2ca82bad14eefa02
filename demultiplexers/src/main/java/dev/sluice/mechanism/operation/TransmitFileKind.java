package dev.sluice.mechanism.operation;

import dev.sluice.calls.Errno;
import dev.sluice.handle.HandleClosedException;
import java.util.Objects;

/** Sends a part of a file, which it holds open. */
final class TransmitFileKind extends Kind {

    TransmitFileKind() {
        super(Direction.OUTPUT);
    }

    @Override
    void check(PreparedOperation operation) {
        Objects.requireNonNull(operation.file(), "file");
        requireNotNegative(operation.position(), "position");
        requireNotNegative(operation.bytes(), "bytes");
    }

    @Override
    long prepare(PreparedOperation operation) {
        try {
            operation.holdFile();
            return 0;
        } catch (HandleClosedException e) {
            return -Errno.EBADF.number();
        }
    }

    @Override
    boolean needsNoCall(PreparedOperation operation) {
        return operation.bytesLeft() == 0;
    }
}
