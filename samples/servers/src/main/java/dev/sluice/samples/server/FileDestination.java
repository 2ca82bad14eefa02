package dev.sluice.samples.server;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Appends lines to a file. They are the system's as soon as a write returns, and on the disk after the close. If the
 * file ends in the middle of a line, as after a full disk or a power failure, the first line that is appended is still
 * a line of its own.
 */
public final class FileDestination implements LineDestination {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private final FileHandle file;
    private final ByteBuffer lineFeed = ByteBuffer.allocate(1).put(0, (byte) '\n');
    private boolean endsInCutLine;

    /**
     * Opens the file, and makes it if there is none.
     *
     * @param path the file
     * @throws IOException if that is impossible
     */
    public FileDestination(Path path) throws IOException {
        endsInCutLine = endsInCutLine(path);
        file = FileHandle.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static boolean endsInCutLine(Path path) throws IOException {
        // Of a FIFO, even opening it for reading would wait.
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (SeekableByteChannel channel = Files.newByteChannel(path)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.size() > 0 && channel.position(channel.size() - 1).read(last) > 0 && last.get(0) != '\n';
        } catch (AccessDeniedException e) {
            // Unknown without permission to read the file.
            return false;
        }
    }

    @Override
    public void write(ByteBuffer lines) throws IOException {
        if (endsInCutLine) {
            file.writeFully(lineFeed.clear(), 0);
            endsInCutLine = false;
        }
        file.writeFully(lines, 0);
    }

    /** Only Linux tells: of a file without a name, the link of its descriptor ends so (proc_pid_fd(5)). */
    @Override
    public boolean isDeleted() {
        try {
            Path link = file.handle().withDescriptor(descriptor ->
                    Files.readSymbolicLink(DESCRIPTORS.resolve(Long.toString(descriptor))));
            return link.toString().endsWith(" (deleted)") && Files.notExists(link);
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
            if (!e.errorName().equals("EINVAL")) {
                throw e;
            }
        } finally {
            file.close();
        }
    }
}
