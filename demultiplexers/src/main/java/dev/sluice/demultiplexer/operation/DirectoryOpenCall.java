package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.system.OperatingSystem;

/**
 * Opens a file in a directory, which the operation holds open until the call has returned. It does not wait for the
 * other end of a FIFO.
 */
public final class DirectoryOpenCall extends PooledCall {

    private final Opening opening;
    private final OperatingSystem system;

    /**
     * Creates a call that has not been submitted.
     *
     * @param opening the arguments
     * @param system  the system
     */
    public DirectoryOpenCall(Opening opening, OperatingSystem system) {
        super(opening.operation());
        this.opening = opening;
        this.system = system;
    }

    @Override
    protected long make() {
        long result;
        do {
            result = opening.makeCall();
        } while (Errno.EINTR.is(result));
        return result;
    }

    @Override
    protected void releaseResult(long got) {
        if (got >= 0) {
            system.close(got, false);
        }
    }
}
