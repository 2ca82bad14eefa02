package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.Outcomes;
import dev.sluice.system.OperatingSystem;

/** Brings a file's content to the disk. */
final class Force extends PooledRequest {

    private final OperatingSystem system;
    private final boolean dataOnly;

    Force(Outcomes outcomes, Arguments asked, FilePool pool, OperatingSystem system, boolean dataOnly) {
        super(outcomes, asked, pool);
        this.system = system;
        this.dataOnly = dataOnly;
    }

    @Override
    long perform() {
        return Math.min(0, dataOnly ? system.forceData(descriptor()) : system.force(descriptor()));
    }
}
