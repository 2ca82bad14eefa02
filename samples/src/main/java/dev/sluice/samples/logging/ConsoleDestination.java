package dev.sluice.samples.logging;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Prints lines on standard output, which stays open. */
final class ConsoleDestination implements LogWriter.Destination {

    // Not System.out, which swallows every error.
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

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
