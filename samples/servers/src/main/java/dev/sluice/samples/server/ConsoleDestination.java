package dev.sluice.samples.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Prints lines on standard output or standard error, which stays open. */
public final class ConsoleDestination implements LineDestination {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final WritableByteChannel out;

    /**
     * Prints on a channel that belongs to others.
     *
     * @param out the channel; a {@code PrintStream} would swallow every error
     */
    public ConsoleDestination(WritableByteChannel out) {
        this.out = out;
    }

    @Override
    public void write(ByteBuffer lines) throws IOException {
        while (lines.hasRemaining()) {
            if (out.write(lines) == 0) {
                // Another process may have made the pipe or terminal that both share non-blocking.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public void close() {
        // It belongs to the process.
    }
}
