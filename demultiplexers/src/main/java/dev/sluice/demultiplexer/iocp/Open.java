package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.DetachableCall;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.PooledCall;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import java.nio.file.Path;

/**
 * Opens a file. A cancelled operation does not wait for the call, because the file may be on a machine that is slow or
 * unreachable.
 */
final class Open extends PooledRequest<Opening> {

    Open(IocpDemultiplexer demultiplexer, Opening arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    PooledCall nextCall() {
        // A new call each time, because the previous one may still be in progress.
        return new OpenCall(operation, arguments);
    }

    @Override
    protected void performed(long result) {
        long adopted = result < 0 ? result : arguments.adopt(result);
        outcomes.complete(operation, adopted, arguments.takeFile());
    }

    private static final class OpenCall extends DetachableCall {

        private final OperatingSystem system = OperatingSystem.current();
        private final Path path;
        private final OpenOptions options;

        OpenCall(OperationSlot operation, Opening arguments) {
            super(operation);
            path = arguments.path();
            options = arguments.options();
        }

        @Override
        protected long make() {
            return system.open(path, options);
        }

        @Override
        protected void releaseResult(long got) {
            if (got >= 0) {
                system.close(got, false);
            }
        }
    }
}
