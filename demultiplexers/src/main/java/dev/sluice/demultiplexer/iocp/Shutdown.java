package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.demultiplexer.operation.OperationSlot;

/**
 * Closes one direction of a stream. The call does not block. On Windows a receive in progress continues to wait after
 * the input has been shut down, so it is ended here.
 */
final class Shutdown extends Request<ClosedHalf> {

    Shutdown(IocpDemultiplexer demultiplexer, ClosedHalf arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    protected void begin() {
        long result = perform();
        OperationSlot receiving = operation.handleAssociation().active(true);
        if (result >= 0 && !arguments.isOutput() && receiving != null
                && receiving.execution() instanceof OverlappedRequest<?> receive) {
            receive.shutDown();
        }
        outcomes.complete(operation, result);
    }

    @Override
    protected void cancel() {
        // The operation completes in begin().
    }

    private long perform() {
        return WindowsError.toErrno(demultiplexer.windows.shutdown(descriptor(),
                arguments.isOutput() ? WinsockConstants.SD_SEND : WinsockConstants.SD_RECEIVE));
    }
}
