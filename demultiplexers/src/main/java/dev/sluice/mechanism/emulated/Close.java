package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;

/** Closes a descriptor, which is gone whatever the system answers (close(2)). */
final class Close extends PooledExecution {

    private final Posix posix;

    Close(Emulation emulation, FilePool pool, Posix posix) {
        super(emulation, pool);
        this.posix = posix;
    }

    @Override
    long call(NativeOperation operation) {
        int result = posix.close(descriptor(operation));
        return Errno.EINTR.is(result) ? 0 : result;
    }
}
