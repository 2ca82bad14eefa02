package dev.sluice.samples.server;

import dev.sluice.calls.Errno;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Appends lines to a file. They are the system's as soon as a write returns, and on the disk after the close. */
public final class FileDestination implements LineDestination {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private final FileHandle file;

    /**
     * Opens the file, and makes it if there is none.
     *
     * @param path which
     * @throws IOException if that is impossible
     */
    public FileDestination(Path path) throws IOException {
        file = FileHandle.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public void write(ByteBuffer lines) throws IOException {
        while (lines.hasRemaining()) {
            file.write(lines, 0);
        }
    }

    /** Only Linux tells: of a file without a name, the link of its descriptor ends so (proc_pid_fd(5)). */
    @Override
    public boolean isDeleted() {
        try {
            long descriptor = file.handle().acquire();
            try {
                Path link = Files.readSymbolicLink(DESCRIPTORS.resolve(Long.toString(descriptor)));
                return link.toString().endsWith(" (deleted)") && Files.notExists(link);
            } finally {
                file.handle().release();
            }
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            file.force();
        } catch (SystemCallException e) {
            // A device or a pipe has no disk behind it (fsync(2)).
            if (e.error() != Errno.EINVAL) {
                throw e;
            }
        } finally {
            file.close();
        }
    }
}
