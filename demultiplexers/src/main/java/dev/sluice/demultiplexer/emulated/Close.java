package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Closing;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.system.OperatingSystem;

/** Closes a descriptor, which is gone whatever the system answers (close(2)). */
final class Close extends PooledAttempt {

    private final Closing asked;
    private final OperatingSystem system;

    Close(Emulation emulation, Closing asked, FilePool pool, OperatingSystem system) {
        super(emulation, asked, pool);
        this.asked = asked;
        this.system = system;
    }

    @Override
    long call() {
        return system.close(asked.descriptor(), asked.isOfSocket());
    }
}
