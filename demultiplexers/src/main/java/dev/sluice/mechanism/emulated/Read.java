package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;

/** Reads from a file at a position. */
final class Read extends PooledExecution {

    private final Posix posix;

    Read(Emulation emulation, FilePool pool, Posix posix) {
        super(emulation, pool);
        this.posix = posix;
    }

    @Override
    long call(NativeOperation operation) {
        return operation.isVectored()
                ? posix.preadv(descriptor(operation), operation.vector(), operation.vectorCount(),
                        operation.nextPosition())
                : posix.pread(descriptor(operation), operation.address(), operation.nextLength(),
                        operation.nextPosition());
    }
}
