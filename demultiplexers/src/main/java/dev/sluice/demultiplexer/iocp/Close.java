package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.Closing;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.Outcomes;

/** Closes a handle, with the call for its kind: a socket is closed by Winsock. */
final class Close extends PooledRequest {

    private final Closing asked;
    private final Windows windows;

    Close(Outcomes outcomes, Closing asked, FilePool pool, Windows windows) {
        super(outcomes, asked, pool);
        this.asked = asked;
        this.windows = windows;
    }

    @Override
    long perform() {
        int result = asked.isOfSocket() ? windows.closesocket(descriptor()) : windows.CloseHandle(descriptor());
        return Math.min(0, WindowsError.toErrno(result));
    }
}
