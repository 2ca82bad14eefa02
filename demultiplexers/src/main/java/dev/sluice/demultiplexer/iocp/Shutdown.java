package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.operation.ClosedHalf;
import dev.sluice.demultiplexer.operation.Outcomes;

/**
 * Closes one direction of a stream, which does not make the caller wait. Windows would let a receive that is going on
 * wait for bytes that nobody will take, so it is ended here.
 */
final class Shutdown extends Request {

    private final ClosedHalf half;
    private final Windows windows;

    Shutdown(Outcomes outcomes, ClosedHalf half, Windows windows) {
        super(outcomes, half);
        this.half = half;
        this.windows = windows;
    }

    @Override
    protected void begin() {
        long result = perform();
        if (result >= 0 && !half.isOutput() && operation().association().active(true) != null
                && operation().association().active(true).execution() instanceof OverlappedRequest receive) {
            receive.shutDown();
        }
        outcomes().complete(operation(), result);
    }

    @Override
    protected void cancel() {
        // It is over as soon as it is begun.
    }

    private long perform() {
        return WindowsError.toErrno(windows.shutdown(descriptor(),
                half.isOutput() ? WinsockConstants.SD_SEND : WinsockConstants.SD_RECEIVE));
    }
}
