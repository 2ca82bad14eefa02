package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.mechanism.operation.AbandonableCall;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.mechanism.operation.Outcomes;
import dev.sluice.mechanism.operation.PooledCall;
import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Opens a file. It may be on another machine that is slow or dead, and so is not waited for once it is cancelled. */
final class Open extends PooledRequest {

    Open(Outcomes outcomes, FilePool pool) {
        super(outcomes, pool);
    }

    @Override
    PooledCall pooledCall(IocpOperation operation) {
        return new OpenCall(operation);
    }

    @Override
    void performed(IocpOperation operation, long result) {
        outcomes().complete(operation, result, ((OpenCall) operation.pooled).opened);
    }

    private static final class OpenCall extends AbandonableCall {

        private final Path path;
        private final OpenOption[] options;
        private FileHandle opened;

        OpenCall(NativeOperation operation) {
            super(operation);
            path = operation.path();
            options = operation.openOptions();
        }

        @Override
        protected long make() {
            try {
                opened = FileHandle.open(path, options);
                return 0;
            } catch (SystemCallException e) {
                return -(e.error() == Errno.UNKNOWN ? Errno.EIO : e.error()).number();
            } catch (IOException e) {
                return -Errno.EIO.number();
            }
        }

        @Override
        protected void giveBack(long got) {
            if (opened != null) {
                opened.close();
            }
        }
    }
}
