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
 * Attributes of a file or directory, read by one system call.
 *
 * @param type             the file type bits of its mode
 * @param fileKey          the number of its inode
 * @param size             the size in bytes
 * @param lastModifiedTime the time of the last modification of its content
 */
record FileStatus(int type, Long fileKey, long size, FileTime lastModifiedTime) implements BasicFileAttributes {

    private static final Path ITSELF = Path.of("");

    /** Returns the attributes of an open file or directory. */
    static FileStatus of(Facade file) throws IOException {
        return of(file, ITSELF);
    }

    /** Returns the attributes of a name in a directory; for a symbolic link, those of the link itself. */
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
