package dev.sluice.demultiplexers.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.demultiplexers.operation.FilePool;
import dev.sluice.demultiplexers.operation.NativeOperation;
import dev.sluice.handle.FileHandle;

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
        outcomes().complete(operation, Math.min(result, 0),
                result < 0 ? null : FileHandle.adopt(result, operation.path(), operation.openOptions()));
    }
}
