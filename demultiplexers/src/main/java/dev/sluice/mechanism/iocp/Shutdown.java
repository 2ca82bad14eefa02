package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.mechanism.operation.Outcomes;

/**
 * Closes one direction of a stream, which does not make the caller wait. Windows would let a receive that is going on
 * wait for bytes that nobody will take, so it is ended here.
 */
final class Shutdown extends Request {

    private final Windows windows;

    Shutdown(Outcomes outcomes, Windows windows) {
        super(outcomes);
        this.windows = windows;
    }

    @Override
    void begin(IocpOperation operation) {
        long result = call(operation);
        if (result >= 0 && !operation.shutsDownOutput()
                && operation.association().active(true) instanceof IocpOperation receive && receive.pending) {
            receive.shutDown = true;
            receive.request.cancel(receive);
        }
        outcomes().complete(operation, result);
    }

    @Override
    long call(IocpOperation operation) {
        return WindowsError.toErrno(windows.shutdown(operation.descriptor(),
                operation.shutsDownOutput() ? WinsockConstants.SD_SEND : WinsockConstants.SD_RECEIVE));
    }
}
