package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.operation.ClosedHalf;

/**
 * Closes one direction of a stream, which does not make the caller wait. On Windows a receive in progress would
 * continue to wait after the input has been closed, so this ends it.
 */
final class Shutdown extends Request<ClosedHalf> {

    Shutdown(IocpDemultiplexer demultiplexer, ClosedHalf asked) {
        super(demultiplexer, asked);
    }

    @Override
    protected void begin() {
        long result = perform();
        if (result >= 0 && !asked.isOutput() && operation.association().active(true) != null
                && operation.association().active(true).execution() instanceof OverlappedRequest<?> receive) {
            receive.shutDown();
        }
        outcomes.complete(operation, result);
    }

    @Override
    protected void cancel() {
        // It is over as soon as it is begun.
    }

    private long perform() {
        return WindowsError.toErrno(demultiplexer.windows.shutdown(descriptor(),
                asked.isOutput() ? WinsockConstants.SD_SEND : WinsockConstants.SD_RECEIVE));
    }
}
