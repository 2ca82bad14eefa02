package dev.sluice.handle;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * What the system says of a file or a directory, by one call, in the JDK's terms.
 *
 * @param type             the bits of its mode that say what it is
 * @param fileKey          the number of its inode
 * @param size             in bytes
 * @param lastModifiedTime when its content was modified last
 */
record FileStatus(int type, Long fileKey, long size, FileTime lastModifiedTime) implements BasicFileAttributes {

    private static final Path ITSELF = Path.of("");

    /** The status of what is open. */
    static FileStatus of(Facade file) throws IOException {
        return of(file, ITSELF);
    }

    /** The status of what a name stands for in a directory, which is the link itself if it is one. */
    static FileStatus of(Facade directory, Path name) throws IOException {
        try (Scratch scratch = Scratch.withPath(directory.descriptor.binding(), name)) {
            long result = directory.call(fd -> directory.system.unix().status(fd, scratch));
            if (result < 0) {
                throw new SystemCallException("fstatat", directory.handle(), name.equals(ITSELF) ? "" : "/" + name,
                        result);
            }
            return of(scratch.memory());
        }
    }

    private static FileStatus of(ByteBuffer memory) {
        Instant modified = Instant.ofEpochSecond(memory.getLong(Scratch.STATUS_SECONDS),
                memory.getLong(Scratch.STATUS_NANOS));
        return new FileStatus(memory.getInt(Scratch.STATUS_MODE) & FileConstants.S_IFMT,
                memory.getLong(Scratch.STATUS_INODE), memory.getLong(Scratch.STATUS_SIZE), FileTime.from(modified));
    }

    @Override
    public boolean isRegularFile() {
        return type == FileConstants.S_IFREG;
    }

    @Override
    public boolean isDirectory() {
        return type == FileConstants.S_IFDIR;
    }

    @Override
    public boolean isSymbolicLink() {
        return type == FileConstants.S_IFLNK;
    }

    @Override
    public boolean isOther() {
        return !isRegularFile() && !isDirectory() && !isSymbolicLink();
    }

    @Override
    public FileTime lastAccessTime() {
        return lastModifiedTime;
    }

    @Override
    public FileTime creationTime() {
        return lastModifiedTime;
    }
}
