package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.DetachableCall;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.PooledCall;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import java.nio.file.Path;

/** Opens a file. It may be on another machine that is slow or dead, and so is not waited for once it is cancelled. */
final class Open extends PooledRequest<Opening> {

    Open(IocpDemultiplexer demultiplexer, Opening asked) {
        super(demultiplexer, asked);
    }

    @Override
    PooledCall nextCall() {
        // A new one each time, since the latest may still be in progress.
        return new OpenCall(operation, asked);
    }

    @Override
    protected void performed(long result) {
        long adopted = result < 0 ? result : asked.adopt(result);
        outcomes.complete(operation, adopted, asked.takeFile());
    }

    private static final class OpenCall extends DetachableCall {

        private final OperatingSystem system = OperatingSystem.current();
        private final Path path;
        private final OpenOptions options;

        OpenCall(OperationSlot operation, Opening asked) {
            super(operation);
            path = asked.path();
            options = asked.options();
        }

        @Override
        protected long make() {
            return system.open(path, options);
        }

        @Override
        protected void giveBack(long got) {
            if (got >= 0) {
                system.close(got, false);
            }
        }
    }
}
