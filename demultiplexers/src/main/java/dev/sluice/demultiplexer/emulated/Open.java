package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.DetachableCall;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.PooledCall;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import java.nio.file.Path;

/** Opens a file. That may take as long as the other end of a FIFO likes; no thread waits for a cancelled call. */
final class Open extends PooledAttempt<Opening> {

    Open(Emulation emulation, Opening asked) {
        super(emulation, asked, emulation.opens);
    }

    @Override
    PooledCall nextCall(PooledCall latest) {
        // A new one each time, since the latest may still be in progress.
        return new OpenCall();
    }

    @Override
    protected void performed(long result) {
        long adopted = result < 0 ? result : asked.adopt(result);
        outcomes.complete(operation, adopted, asked.takeFile());
    }

    private final class OpenCall extends DetachableCall {

        private final OperatingSystem system = emulation.system;
        private final Path path;
        private final OpenOptions options;

        OpenCall() {
            super(Open.this.operation);
            path = asked.path();
            options = asked.options();
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
        protected void giveBack(long got) {
            if (got >= 0) {
                system.close(got, false);
            }
        }
    }
}
