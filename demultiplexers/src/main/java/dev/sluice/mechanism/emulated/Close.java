package dev.sluice.mechanism.emulated;

import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.system.OperatingSystem;

/** Closes a descriptor, which is gone whatever the system answers (close(2)). */
final class Close extends PooledExecution {

    private final OperatingSystem system;

    Close(Emulation emulation, FilePool pool, OperatingSystem system) {
        super(emulation, pool);
        this.system = system;
    }

    @Override
    long call(NativeOperation operation) {
        return system.close(operation.descriptor(), operation.association().handle().isSocket());
    }
}
