package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.Outcomes;
import dev.sluice.system.OperatingSystem;

/** Brings a file's content to the disk. */
final class Force extends PooledRequest {

    private final OperatingSystem system;

    Force(Outcomes outcomes, Arguments asked, FilePool pool, OperatingSystem system) {
        super(outcomes, asked, pool);
        this.system = system;
    }

    @Override
    long perform() {
        return Math.min(0, system.force(descriptor()));
    }
}
