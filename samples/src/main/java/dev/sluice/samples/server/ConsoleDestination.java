package dev.sluice.samples.server;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Prints lines on standard output, which stays open. */
public final class ConsoleDestination implements LineDestination {

    // Not System.out, which swallows every error.
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    /** For the standard output of the process. */
    public ConsoleDestination() {
    }

    @Override
    public void write(ByteBuffer lines) throws IOException {
        while (lines.hasRemaining()) {
            out.getChannel().write(lines);
        }
    }

    @Override
    public void close() {
        // Standard output belongs to the process.
    }
}
