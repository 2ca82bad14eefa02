package dev.sluice.mechanism.operation;

import dev.sluice.calls.Errno;
import java.util.Objects;

/** Opens a file by its path. */
final class OpenKind extends Kind {

    OpenKind() {
        super(Direction.NONE);
    }

    @Override
    void check(PreparedOperation operation) {
        Objects.requireNonNull(operation.path(), "path");
        // Throws if there is an unknown option.
        operation.openFlags();
    }

    @Override
    long prepare(PreparedOperation operation) {
        return operation.preparePath() ? 0 : -Errno.ENAMETOOLONG.number();
    }
}
