package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.DirectoryOpenCall;
import dev.sluice.demultiplexer.operation.OpenCall;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.PooledCall;
import org.jspecify.annotations.Nullable;

/** Opens a file. */
final class Open extends PooledAttempt<Opening> {

    /** The call that opens a file in a directory; null before the first. */
    private @Nullable PooledCall inDirectory;

    Open(Emulation emulation, Opening arguments) {
        super(emulation, arguments, emulation.opens);
    }

    @Override
    PooledCall nextCall(@Nullable PooledCall latest) {
        if (!arguments.isInDirectory()) {
            // A new call each time, because the previous one may still be in progress.
            return new OpenCall(arguments, emulation.system);
        }
        if (inDirectory == null) {
            inDirectory = new DirectoryOpenCall(arguments, emulation.system);
        }
        return inDirectory;
    }

    @Override
    protected void performed(long result) {
        long adopted = result < 0 ? result : arguments.adopt(result);
        outcomes.complete(operation, adopted, arguments.takeFile());
    }
}
