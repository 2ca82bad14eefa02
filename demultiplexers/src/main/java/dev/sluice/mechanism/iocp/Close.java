package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.Outcomes;

/** Closes a handle, with the call for its kind: a socket is closed by Winsock. */
final class Close extends PooledRequest {

    private final Windows windows;

    Close(Outcomes outcomes, FilePool pool, Windows windows) {
        super(outcomes, pool);
        this.windows = windows;
    }

    @Override
    long call(IocpOperation operation) {
        int result = operation.association().handle().isSocket()
                ? windows.closesocket(operation.descriptor())
                : windows.CloseHandle(operation.descriptor());
        return Math.min(0, WindowsError.toErrno(result));
    }
}
