package dev.sluice.mechanism.emulated;

import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.system.OperatingSystem;

/** Brings a file's content to the disk. */
final class Force extends PooledExecution {

    private final OperatingSystem system;

    Force(Emulation emulation, FilePool pool, OperatingSystem system) {
        super(emulation, pool);
        this.system = system;
    }

    @Override
    long call(NativeOperation operation) {
        return system.force(descriptor(operation));
    }
}
