package dev.sluice.mechanism.operation;

import dev.sluice.calls.Errno;

/** Opens a file by its path. */
final class OpenKind extends Kind {

    OpenKind() {
        super(Direction.NONE);
    }

    @Override
    long prepare(PreparedOperation operation) {
        return operation.preparePath() ? 0 : -Errno.ENAMETOOLONG.number();
    }
}
