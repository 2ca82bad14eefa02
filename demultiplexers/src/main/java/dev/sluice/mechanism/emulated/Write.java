package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;

/** Writes to a file, at a position or at its end. */
final class Write extends PooledExecution {

    private final Posix posix;

    Write(Emulation emulation, FilePool pool, Posix posix) {
        super(emulation, pool);
        this.posix = posix;
    }

    @Override
    long call(NativeOperation operation) {
        return operation.association().handle().appends() ? append(operation) : writeAt(operation);
    }

    private long writeAt(NativeOperation operation) {
        return operation.isVectored()
                ? posix.pwritev(descriptor(operation), operation.vector(), operation.vectorCount(),
                        operation.nextPosition())
                : posix.pwrite(descriptor(operation), operation.address(), operation.nextLength(),
                        operation.nextPosition());
    }

    private long append(NativeOperation operation) {
        return operation.isVectored()
                ? posix.writev(descriptor(operation), operation.vector(), operation.vectorCount())
                : posix.write(descriptor(operation), operation.address(), operation.nextLength());
    }
}
