package dev.sluice.samples.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Prints lines on standard output, which stays open. */
public final class ConsoleDestination implements LineDestination {

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
            out.write(lines);
        }
    }

    @Override
    public void close() {
        // Standard output belongs to the process.
    }
}
