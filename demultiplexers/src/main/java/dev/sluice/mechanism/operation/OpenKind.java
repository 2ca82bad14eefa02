package dev.sluice.mechanism.operation;

import dev.sluice.calls.Errno;
import dev.sluice.system.PathBytes;
import java.util.Objects;

/** Opens a file by its path. */
final class OpenKind extends Kind {

    OpenKind() {
        super(Direction.NONE);
    }

    @Override
    void check(PreparedOperation operation) {
        PathBytes.require(Objects.requireNonNull(operation.path(), "path"));
        // Throws if there is an unknown option.
        operation.openFlags();
    }

    @Override
    long prepare(PreparedOperation operation) {
        return operation.preparePath() ? 0 : -Errno.ENAMETOOLONG.number();
    }
}
