package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.DetachableCall;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.PooledCall;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Opens a file. That may take as long as the other end of a FIFO stays closed; a cancelled operation does not wait for
 * it. Opening a file in an open directory does not wait for a FIFO, and the operation waits for the call.
 */
final class Open extends PooledAttempt<Opening> {

    /** The call that opens a file in a directory, which the operation holds open; null before the first. */
    private @Nullable PooledCall inDirectory;

    Open(Emulation emulation, Opening arguments) {
        super(emulation, arguments, emulation.opens);
    }

    @Override
    PooledCall nextCall(@Nullable PooledCall latest) {
        if (arguments.isInDirectory()) {
            if (inDirectory == null) {
                inDirectory = super.nextCall(null);
            }
            return inDirectory;
        }
        // A new call each time, because the previous one may still be in progress.
        return new OpenCall();
    }

    @Override
    long call() {
        return arguments.makeCall();
    }

    @Override
    protected void performed(long result) {
        long adopted = result < 0 ? result : arguments.adopt(result);
        outcomes.complete(operation, adopted, arguments.takeFile());
    }

    private final class OpenCall extends DetachableCall {

        private final OperatingSystem system = emulation.system;
        private final Path path;
        private final OpenOptions options;

        OpenCall() {
            super(Open.this.operation);
            path = arguments.path();
            options = arguments.options();
        }

        @Override
        protected long make() {
            long result;
            do {
                result = system.open(path, options);
            } while (Errno.EINTR.is(result));
            return result;
        }

        @Override
        protected void releaseResult(long got) {
            if (got >= 0) {
                system.close(got, false);
            }
        }
    }
}
