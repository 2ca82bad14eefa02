package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.Outcomes;
import java.io.IOException;

/** Opens a file. */
final class Open extends PooledRequest {

    Open(Outcomes outcomes, FilePool pool) {
        super(outcomes, pool);
    }

    @Override
    long call(IocpOperation operation) {
        try {
            operation.opened = FileHandle.open(operation.path(), operation.openOptions());
            return 0;
        } catch (SystemCallException e) {
            return -(e.error() == Errno.UNKNOWN ? Errno.EIO : e.error()).number();
        } catch (IOException e) {
            return -Errno.EIO.number();
        }
    }

    @Override
    void performed(IocpOperation operation, long result) {
        FileHandle opened = operation.opened;
        operation.opened = null;
        outcomes().complete(operation, result, opened);
    }
}
