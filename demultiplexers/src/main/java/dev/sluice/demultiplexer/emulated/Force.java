package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.system.OperatingSystem;

/** Brings a file's content to the disk. */
final class Force extends PooledAttempt {

    private final OperatingSystem system;
    private final boolean dataOnly;

    Force(Emulation emulation, Arguments asked, FilePool pool, OperatingSystem system, boolean dataOnly) {
        super(emulation, asked, pool);
        this.system = system;
        this.dataOnly = dataOnly;
    }

    @Override
    long call() {
        return dataOnly ? system.forceData(descriptor()) : system.force(descriptor());
    }
}
