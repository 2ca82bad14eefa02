package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.handle.FileHandle;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;

/** Opens a file. */
final class Open extends PooledExecution {

    private final Posix posix;

    Open(Emulation emulation, FilePool pool, Posix posix) {
        super(emulation, pool);
        this.posix = posix;
    }

    @Override
    long call(NativeOperation operation) {
        return posix.open(operation.address(), operation.openFlags(), NativeOperation.mode());
    }

    @Override
    void performed(EmulatedOperation operation, long result) {
        if (result < 0) {
            outcomes().complete(operation, result);
        } else {
            FileHandle file = operation.adoptFile(result);
            outcomes().complete(operation, file == null ? -Errno.ENOMEM.number() : 0, file);
        }
    }
}
