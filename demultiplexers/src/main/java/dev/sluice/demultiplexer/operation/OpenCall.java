package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import java.nio.file.Path;

/**
 * Opens a file, unless it is opened in a directory. That may take as long as the other end of a FIFO stays closed; a
 * cancelled operation does not wait for it. Submitted once.
 */
public final class OpenCall extends DetachableCall {

    private final OperatingSystem system;
    private final Path path;
    private final OpenOptions options;

    /**
     * Creates a call that has not been submitted.
     *
     * @param opening the arguments, of which the call keeps no reference
     * @param system  the system
     */
    public OpenCall(Opening opening, OperatingSystem system) {
        super(opening.operation());
        this.system = system;
        this.path = opening.path();
        this.options = opening.options();
    }

    @Override
    protected long make() {
        long result;
        do {
            result = system.open(path, options);
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
