package dev.sluice.samples.logging;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Appends lines to a file. They are the system's as soon as a write returns, and on the disk after the close. */
final class FileDestination implements LogWriter.Destination {

    private final FileHandle file;

    FileDestination(Path path) throws IOException {
        file = FileHandle.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public void write(ByteBuffer lines) throws IOException {
        while (lines.hasRemaining()) {
            file.write(lines, 0);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            file.force();
        } finally {
            file.close();
        }
    }
}
