package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.system.OperatingSystem;

/** Brings a file's content to the disk. */
final class Force extends PooledAttempt {

    private final OperatingSystem system;

    Force(Emulation emulation, Arguments asked, FilePool pool, OperatingSystem system) {
        super(emulation, asked, pool);
        this.system = system;
    }

    @Override
    long call() {
        return system.force(descriptor());
    }
}
