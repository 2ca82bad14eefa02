package dev.sluice.handle;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;

/**
 * What the system says of a file or a directory, by one call.
 *
 * @param kind     what it is
 * @param inode    its number in its file system
 * @param size     in bytes
 * @param modified when its content was modified last
 */
public record FileStatus(Kind kind, long inode, long size, Instant modified) {

    /** What a name stands for. */
    public enum Kind {
        /** A file with contents. */
        REGULAR,
        /** A directory. */
        DIRECTORY,
        /** A symbolic link itself. */
        SYMBOLIC_LINK,
        /** A FIFO, a socket or a device. */
        OTHER
    }

    private static final Path ITSELF = Path.of("");

    /** The status of what is open. */
    static FileStatus of(Descriptor descriptor) throws IOException {
        return of(descriptor, ITSELF);
    }

    /** The status of what a name stands for in a directory, which is the link itself if it is one. */
    static FileStatus of(Descriptor directory, Path name) throws IOException {
        long fd = directory.acquire();
        try (Scratch scratch = Scratch.withPath(directory.binding(), name)) {
            int result = OperatingSystem.of(directory.binding()).status(fd, scratch);
            if (result < 0) {
                throw new SystemCallException("fstatat", directory.handle(), name.equals(ITSELF) ? "" : "/" + name,
                        result);
            }
            return of(scratch.memory());
        } finally {
            directory.release();
        }
    }

    private static FileStatus of(ByteBuffer memory) {
        Kind kind = switch (memory.getInt(Scratch.STATUS_MODE) & FileConstants.S_IFMT) {
            case FileConstants.S_IFREG -> Kind.REGULAR;
            case FileConstants.S_IFDIR -> Kind.DIRECTORY;
            case FileConstants.S_IFLNK -> Kind.SYMBOLIC_LINK;
            default -> Kind.OTHER;
        };
        return new FileStatus(kind, memory.getLong(Scratch.STATUS_INODE), memory.getLong(Scratch.STATUS_SIZE),
                Instant.ofEpochSecond(memory.getLong(Scratch.STATUS_SECONDS), memory.getLong(Scratch.STATUS_NANOS)));
    }
}
