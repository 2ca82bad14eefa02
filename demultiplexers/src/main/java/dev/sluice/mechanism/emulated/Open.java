package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.handle.FileHandle;
import dev.sluice.mechanism.operation.AbandonableCall;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.mechanism.operation.PooledCall;
import dev.sluice.system.OperatingSystem;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Opens a file. That may take as long as the other end of a FIFO likes; once it is cancelled nobody waits for it. */
final class Open extends PooledExecution {

    private final OperatingSystem system;

    Open(Emulation emulation, FilePool pool, OperatingSystem system) {
        super(emulation, pool);
        this.system = system;
    }

    @Override
    PooledCall call(EmulatedOperation operation) {
        return new OpenCall(operation);
    }

    @Override
    void performed(EmulatedOperation operation, long result) {
        if (result < 0) {
            outcomes().complete(operation, result);
        } else {
            FileHandle file = operation.adoptFile(result);
            outcomes().complete(operation, file == null ? -Errno.ENOMEM.number() : 0, file);
        }
    }

    private final class OpenCall extends AbandonableCall {

        private final Path path;
        private final OpenOption[] options;

        OpenCall(NativeOperation operation) {
            super(operation);
            path = operation.path();
            options = operation.openOptions();
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
