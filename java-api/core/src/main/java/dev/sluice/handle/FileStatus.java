package dev.sluice.handle;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/**
 * Attributes of a file or directory, read by one system call.
 *
 * @param mode             what it is, and the permissions
 * @param fileKey          the number of its inode
 * @param size             in bytes
 * @param lastModifiedTime when its content was modified last
 * @param lastAccessTime   when it was read last, as far as the file system records that
 * @param creationTime     when it was created; when it was modified last if the system does not say that
 * @param links            the number of its names
 * @param allocatedSize    the space that it takes, in bytes
 * @param user             the number of its owner
 * @param users            the number of its group
 */
record FileStatus(int mode, Long fileKey, long size, FileTime lastModifiedTime, FileTime lastAccessTime,
        FileTime creationTime, int links, long allocatedSize, int user, int users) implements PosixFileAttributes {

    /** The unit in which systems count the space of a file. */
    private static final int BLOCK = 512;
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

    /** Returns the attributes that the system has stored in the memory of a {@link Scratch}. */
    static FileStatus of(ByteBuffer memory) {
        return new FileStatus(memory.getInt(Scratch.STATUS_MODE), memory.getLong(Scratch.STATUS_INODE),
                memory.getLong(Scratch.STATUS_SIZE), time(memory, Scratch.STATUS_MODIFIED),
                time(memory, Scratch.STATUS_ACCESSED), time(memory, Scratch.STATUS_CREATED),
                memory.getInt(Scratch.STATUS_LINKS), memory.getLong(Scratch.STATUS_BLOCKS) * BLOCK,
                memory.getInt(Scratch.STATUS_OWNER), memory.getInt(Scratch.STATUS_GROUP));
    }

    private static FileTime time(ByteBuffer memory, int at) {
        return FileTime.from(Instant.ofEpochSecond(memory.getLong(at), memory.getLong(at + Long.BYTES)));
    }

    private int type() {
        return mode & FileConstants.S_IFMT;
    }

    @Override
    public boolean isRegularFile() {
        return type() == FileConstants.S_IFREG;
    }

    @Override
    public boolean isDirectory() {
        return type() == FileConstants.S_IFDIR;
    }

    @Override
    public boolean isSymbolicLink() {
        return type() == FileConstants.S_IFLNK;
    }

    @Override
    public boolean isOther() {
        return !isRegularFile() && !isDirectory() && !isSymbolicLink();
    }

    @Override
    public Set<PosixFilePermission> permissions() {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (PosixFilePermission each : PosixFilePermission.values()) {
            // They are declared in the order of the bits, from the highest one on.
            if ((mode & 1 << PosixFilePermission.OTHERS_EXECUTE.ordinal() - each.ordinal()) != 0) {
                permissions.add(each);
            }
        }
        return permissions;
    }

    // The JDK parses the number as a signed int; macOS has a user -2.
    @Override
    public UserPrincipal owner() {
        try {
            return lookup().lookupPrincipalByName(Integer.toString(user));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public GroupPrincipal group() {
        try {
            return lookup().lookupPrincipalByGroupName(Integer.toString(users));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static UserPrincipalLookupService lookup() {
        return FileSystems.getDefault().getUserPrincipalLookupService();
    }
}
