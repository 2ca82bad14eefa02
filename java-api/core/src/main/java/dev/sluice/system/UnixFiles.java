package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.PerSystem;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Flock;
import dev.sluice.handle.FileOption;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.LongToIntFunction;

/** File operations of all Unix systems, including those on names in an open directory. */
abstract class UnixFiles extends OperatingSystem {

    /** The flags for opening a directory in which names are looked up: on Linux they require no read permission. */
    private static final int DIRECTORY = FileConstants.O_CLOEXEC | FileConstants.O_DIRECTORY
            | (Platform.CURRENT.isLinux() ? FileConstants.O_PATH : FileConstants.O_RDONLY);
    /** Maximum number of random names tried; even a second one is hardly ever needed. */
    private static final int NAME_ATTEMPTS = 100;
    private static final Path ITSELF = Path.of("");

    /** Maximum length of a path (PATH_MAX), the same or less on all systems. */
    private static final int MAX_LINK_LENGTH = 4096;

    final Posix posix;

    UnixFiles(Binding binding) {
        super(binding);
        this.posix = binding.posix();
    }

    @Override
    public long open(Path path, OpenOptions options) {
        return open(FileConstants.AT_FDCWD, path, options, options.flags());
    }

    private long open(long directory, Path path, OpenOptions options, int flags) {
        if (options.has(FileOption.TMPFILE) && FileConstants.O_TMPFILE == PerSystem.NONE) {
            return openWithoutName(directory, path, options, flags);
        }
        try (Scratch scratch = Scratch.withPath(binding, path)) {
            // Created before the descriptor, which would stay open if there were no memory for this afterwards.
            LongToIntFunction preparation = opened -> prepareFile((int) opened, (int) directory, scratch, options);
            long file = openAt((int) directory, scratch, flags, options);
            return file < 0 ? file : prepared(file, preparation);
        }
    }

    private long openAt(int directory, Scratch scratch, int flags, OpenOptions options) {
        long path = scratch.address(Scratch.COPY);
        if (options.has(FileOption.BENEATH)) {
            return openBeneath(directory, scratch, flags, options.mode());
        }
        return directory == FileConstants.AT_FDCWD ? posix.open(path, flags, options.mode())
                : posix.openat(directory, path, flags, options.mode());
    }

    /** As {@code openat}, but fails if the path in the scratch memory leads out of the directory. */
    abstract long openBeneath(int directory, Scratch scratch, int flags, int mode);

    /** Applies the options that have no flags to an open file. */
    int prepareFile(int file, int directory, Scratch scratch, OpenOptions options) {
        return options.losesName() ? removeName(file, directory, scratch) : 0;
    }

    /**
     * Removes the name with which a file was opened, unless it has come to denote another file.
     *
     * @param file      the file
     * @param directory the directory that the path is relative to
     * @param path      the path
     * @return 0, or a negated error number
     */
    public final int removeName(long file, long directory, Path path) {
        try (Scratch scratch = Scratch.withPath(binding, path)) {
            return removeName((int) file, (int) directory, scratch);
        }
    }

    /**
     * Removes the name with which a file was opened, unless it has come to denote another file. No call compares and
     * removes atomically: a file that gets the name in between loses it.
     */
    private int removeName(int file, int directory, Scratch scratch) {
        try (Scratch opened = Scratch.withPath(binding, ITSELF)) {
            int result = repeated(() -> status(file, opened));
            if (result < 0) {
                return result;
            }
            result = repeated(() -> status(directory, scratch));
            if (result == 0 && isSame(opened.memory(), scratch.memory())) {
                result = repeated(() -> posix.unlinkat(directory, scratch.address(Scratch.COPY), 0));
            }
            return Errno.ENOENT.is(result) ? 0 : result;
        }
    }

    /** Repeats a call that is interrupted. To open the file once more would find what the first time has created. */
    static int repeated(IntSupplier call) {
        int result;
        do {
            result = call.getAsInt();
        } while (Errno.EINTR.is(result));
        return result;
    }

    private static boolean isSame(ByteBuffer one, ByteBuffer other) {
        return one.getLong(Scratch.STATUS_INODE) == other.getLong(Scratch.STATUS_INODE)
                && one.getLong(Scratch.STATUS_DEVICE) == other.getLong(Scratch.STATUS_DEVICE);
    }

    /** Creates a file with a random name in a directory, and removes the name. */
    private long openWithoutName(long directory, Path path, OpenOptions options, int given) {
        int flags = given | FileConstants.O_CREAT | FileConstants.O_EXCL | FileConstants.O_NOFOLLOW;
        long file = -Errno.EEXIST.number();
        for (int i = 0; i < NAME_ATTEMPTS && Errno.EEXIST.is(file); i++) {
            Path name = path.resolve(".sluice-" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
            try (Scratch scratch = Scratch.withPath(binding, name)) {
                LongToIntFunction preparation = opened -> {
                    int result = removeName((int) opened, (int) directory, scratch);
                    return result < 0 ? result : prepareFile((int) opened, (int) directory, scratch, options);
                };
                file = openAt((int) directory, scratch, flags, options);
                if (file >= 0) {
                    file = prepared(file, preparation);
                }
            }
        }
        return file;
    }

    /**
     * Opens a directory in which names are to be looked up.
     *
     * @param path the directory; symbolic links are followed
     * @return the directory, or a negated error number
     */
    public final long openDirectory(Path path) {
        try (Scratch scratch = Scratch.withPath(binding, path)) {
            return posix.open(scratch.address(Scratch.COPY), DIRECTORY, 0);
        }
    }

    /** As {@link #openDirectory(Path)}, for a name in an open directory. Fails for a symbolic link. */
    public final long openDirectory(long directory, Path name) {
        try (Scratch scratch = Scratch.withPath(binding, name)) {
            return posix.openat((int) directory, scratch.address(Scratch.COPY),
                    DIRECTORY | FileConstants.O_NOFOLLOW, 0);
        }
    }

    /** Opens a file in an open directory. Fails for a symbolic link, and does not wait for the other end of a FIFO. */
    public final long open(long directory, Path path, OpenOptions options) {
        LongToIntFunction preparation = opened -> endNonBlocking(opened, options);
        long file = open(directory, path, options, options.flagsOfName());
        return file < 0 ? file : prepared(file, preparation);
    }

    /**
     * Removes the {@code O_NONBLOCK} with which a file in a directory has been opened, because io_uring would read such
     * a file only if its content is in memory.
     */
    public final int endNonBlocking(long file, OpenOptions options) {
        return posix.fcntl((int) file, FileConstants.F_SETFL, options.flags());
    }

    /**
     * Stores the attributes of a file at {@link Scratch#STATUS_MODE} and the following offsets.
     *
     * @param file    the file, or the directory that the path is relative to
     * @param scratch contains the path, whose last symbolic link is not followed; an empty path means the file itself
     * @return 0, or a negated error number
     */
    public abstract int status(long file, Scratch scratch);

    /**
     * Stores the target of a symbolic link at {@link Scratch#COPY}.
     *
     * @param directory the directory that the path is relative to
     * @param scratch   contains the path
     * @return the number of bytes, or a negated error number
     */
    public final int readLink(long directory, Scratch scratch) {
        long path = scratch.address(Scratch.COPY);
        long length = posix.readlinkat((int) directory, path, path, MAX_LINK_LENGTH);
        return (int) (length == MAX_LINK_LENGTH ? -Errno.ENAMETOOLONG.number() : length);
    }

    public final int rename(long directory, Path name, long newDirectory, Path newName) {
        try (Scratch before = Scratch.withPath(binding, name); Scratch after = Scratch.withPath(binding, newName)) {
            return posix.renameat((int) directory, before.address(Scratch.COPY), (int) newDirectory,
                    after.address(Scratch.COPY));
        }
    }

    /** {@return whether the system has {@link #renameUnlessExists} and {@link #exchange}} */
    public boolean canExchange() {
        return false;
    }

    /** Gives a file another name, unless there is such a name already. */
    public int renameUnlessExists(long directory, Path name, Path newName) {
        throw new UnsupportedOperationException(binding.os().title() + " replaces what has the new name");
    }

    /** Exchanges two names. */
    public int exchange(long directory, Path name, Path other) {
        throw new UnsupportedOperationException(binding.os().title() + " exchanges no names");
    }

    /** Gives a file a further name. */
    public final int link(long directory, Path name, Path newName) {
        try (Scratch before = Scratch.withPath(binding, name); Scratch after = Scratch.withPath(binding, newName)) {
            return posix.linkat((int) directory, before.address(Scratch.COPY), (int) directory,
                    after.address(Scratch.COPY), 0);
        }
    }

    public final int createDirectory(long directory, Path name, int mode) {
        try (Scratch scratch = Scratch.withPath(binding, name)) {
            return posix.mkdirat((int) directory, scratch.address(Scratch.COPY), mode);
        }
    }

    /** Removes an empty directory. */
    public final int deleteDirectory(long directory, Path name) {
        try (Scratch scratch = Scratch.withPath(binding, name)) {
            return posix.unlinkat((int) directory, scratch.address(Scratch.COPY), FileConstants.AT_REMOVEDIR);
        }
    }

    /** Makes the names in a directory durable, which may have been opened without the right to read it. */
    public final int forceDirectory(long directory) {
        int readable = (int) open(directory, PathBytes.ITSELF, OpenOptions.of());
        if (readable < 0) {
            return readable;
        }
        try {
            return force(readable);
        } finally {
            posix.close(readable);
        }
    }

    /** Removes a file; fails for a directory. */
    public final int delete(long directory, Path name) {
        try (Scratch scratch = Scratch.withPath(binding, name)) {
            return posix.unlinkat((int) directory, scratch.address(Scratch.COPY), 0);
        }
    }

    // The system rejects a range that ends beyond Long.MAX_VALUE, although no file is that long.
    @Override
    public long read(long file, long address, long length, long position) {
        return posix.pread((int) file, address, Math.min(length, Long.MAX_VALUE - position), position);
    }

    @Override
    public long write(long file, long address, long length, long position) {
        return posix.pwrite((int) file, address, length, position);
    }

    @Override
    public long read(long file, Scratch scratch, int elements, long position) {
        return posix.preadv((int) file, scratch.address(Scratch.VECTOR), elements, position);
    }

    @Override
    public long write(long file, Scratch scratch, int elements, long position) {
        return posix.pwritev((int) file, scratch.address(Scratch.VECTOR), elements, position);
    }

    // Only on Linux does pwrite append, and not with all C libraries (pwrite(2), "BUGS").
    @Override
    public long append(long file, long address, long length) {
        return posix.write((int) file, address, length);
    }

    @Override
    public long append(long file, Scratch scratch, int elements) {
        return posix.writev((int) file, scratch.address(Scratch.VECTOR), elements);
    }

    @Override
    public long size(long file) {
        // No call here uses the descriptor's own position, so it may be changed.
        long end = posix.lseek((int) file, 0, FileConstants.SEEK_END);
        // A file that the kernel generates while it is read, as below /proc, has no end, and its length is 0 (stat(2)).
        return Errno.EINVAL.is(end) ? 0 : end;
    }

    @Override
    public int truncate(long file, long size) {
        return posix.ftruncate((int) file, size);
    }

    @Override
    public int force(long file) {
        return posix.fsync((int) file);
    }

    @Override
    public int forceData(long file) {
        return posix.fdatasync((int) file);
    }

    /** {@code fcntl} with a pointer. */
    abstract int fcntl(int file, int command, long argument);

    // Locks of the open file. Those of the process would vanish when it closes any other descriptor of the file.

    @Override
    public int lock(long file, long position, long length, boolean shared, boolean waits) {
        return lockRange(file, position, length, shared, waits);
    }

    @Override
    public int unlock(long file, long position, long length) {
        return unlockRange(file, position, length);
    }

    final int lockRange(long file, long position, long length, boolean shared, boolean waits) {
        return lock(file, waits ? FileConstants.F_OFD_SETLKW : FileConstants.F_OFD_SETLK,
                shared ? FileConstants.F_RDLCK : FileConstants.F_WRLCK, position, length);
    }

    final int unlockRange(long file, long position, long length) {
        return lock(file, FileConstants.F_OFD_SETLK, FileConstants.F_UNLCK, position, length);
    }

    private int lock(long file, int command, int type, long position, long length) {
        try (Scratch scratch = Scratch.forWait(binding)) {
            Flock.set(scratch.memory(), Scratch.VALUE, type, position, length);
            return fcntl((int) file, command, scratch.address(Scratch.VALUE));
        }
    }

    /**
     * {@return the result of {@code copy_file_range}; {@code ENOSYS} if it cannot copy between these files: between two
     * file systems, in one that does not support it, from or to a file that is not a regular one, or in a sandbox that
     * refuses the call} Older ones answer {@code EPERM}; that of a file which must not be changed comes again from the
     * write.
     */
    static long copiedOrUnable(long result) {
        boolean unable = Errno.EXDEV.is(result) || Errno.EOPNOTSUPP.is(result) || Errno.EINVAL.is(result)
                || Errno.EPERM.is(result);
        return unable ? -Errno.ENOSYS.number() : result;
    }

    @Override
    public long map(long file, boolean writable, boolean shared, long position, long length) {
        int protection = FileConstants.PROT_READ | (writable ? FileConstants.PROT_WRITE : 0);
        int flags = shared ? FileConstants.MAP_SHARED : FileConstants.MAP_PRIVATE;
        return posix.mmap(0, length, protection, flags, (int) file, position);
    }

    @Override
    public int forceMapping(long address, long length) {
        return posix.msync(address, length, FileConstants.MS_SYNC);
    }

    @Override
    public int unmap(long address, long length) {
        return posix.munmap(address, length);
    }
}
