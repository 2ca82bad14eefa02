package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.spi.FileUse;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.PathBytes;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * An open directory, on Unix. Names that are passed to its methods are looked up in this directory, even if it has been
 * moved since it was opened.
 *
 * <p>A path is looked up again by each call, and between two calls one of its directories may have been replaced by a
 * symbolic link. To reach a file through known directories only, open each of them in its parent: a name here is a
 * single element of a path, never {@code ..}, and no method follows a symbolic link. An open file or directory may
 * still be moved elsewhere at any time.
 *
 * <p>All methods may be called from any thread. On Windows, {@link #open} throws an
 * {@link UnsupportedOperationException}.
 */
public final class DirectoryHandle extends Facade {

    /** The path when it was opened, for messages. */
    private final Path path;

    private DirectoryHandle(Handle handle, Path path) {
        super(handle);
        this.path = path;
    }

    /**
     * Opens a directory. On Linux, the permission to search it is sufficient.
     *
     * @param path the directory; symbolic links are followed
     * @return the directory; the caller closes it
     * @throws SystemCallException           such as {@code ENOENT}, {@code ENOTDIR}, {@code EACCES}
     * @throws UnsupportedOperationException on Windows
     * @throws java.nio.file.ProviderMismatchException if the path is in another file system, such as a zip file
     */
    @CheckReturnValue
    public static DirectoryHandle open(Path path) throws IOException {
        PathBytes.require(path);
        StackReserve.requireForOpening();
        Binding binding = Bindings.current();
        long fd;
        do {
            fd = OperatingSystem.of(binding).unix().openDirectory(path);
        } while (Errno.EINTR.is(fd));
        if (fd < 0) {
            throw new SystemCallException("open", path.toString(), fd);
        }
        return adopt(binding, fd, path);
    }

    private static DirectoryHandle adopt(Binding binding, long fd, Path path) {
        Handle handle = Handle.owning(binding, fd, false, FileUse.NONE, path);
        try {
            return new DirectoryHandle(handle, path);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /**
     * Opens a directory in this one.
     *
     * @param name its name
     * @return the directory; the caller closes it
     * @throws SystemCallException {@code ENOENT} if there is none, {@code ENOTDIR} or {@code ELOOP} if it is a symbolic
     *                             link
     */
    @CheckReturnValue
    public DirectoryHandle openDirectory(Path name) throws IOException {
        PathBytes.requireName(name);
        StackReserve.requireForOpening();
        Path full = path.resolve(name);
        long fd = call("openat", name, directory -> system.unix().openDirectory(directory, name));
        return adopt(descriptor.binding(), fd, full);
    }

    /**
     * Opens a file in this directory. Does not wait for the other end of a FIFO.
     *
     * @param path    as for {@link #openFile(Path, Set, FileAttribute[])}
     * @param options the options, as for {@link FileHandle#open(Path, Set, FileAttribute[])}
     * @return the open file; the caller closes it
     * @throws SystemCallException           as {@link #openFile(Path, Set, FileAttribute[])}
     * @throws UnsupportedOperationException if an option is not supported
     */
    @CheckReturnValue
    public FileHandle openFile(Path path, OpenOption... options) throws IOException {
        return openFile(path, OpenOptions.of(options));
    }

    /**
     * Opens a file in this directory, or with {@link FileOption#BENEATH} in a directory below it. Does not wait for the
     * other end of a FIFO.
     *
     * @param path       its name; {@code .} opens this directory for {@link FileHandle#force()}, which makes the names
     *                   in it durable, or for {@link FileOption#TMPFILE}; with {@link FileOption#BENEATH}, a relative
     *                   path of any length, whose directories may be links that do not lead out of this one
     * @param options    the options, as for {@link FileHandle#open(Path, Set, FileAttribute[])}
     * @param attributes the attributes, as for {@link FileHandle#open(Path, Set, FileAttribute[])}
     * @return the open file; the caller closes it
     * @throws SystemCallException           such as {@code ENOENT}, {@code EACCES}, {@code EEXIST}; {@code ELOOP}, on
     *                                       FreeBSD {@code EMLINK}, if it is a symbolic link; {@code EXDEV}, on FreeBSD
     *                                       {@code ENOTCAPABLE}, if the path leads out of this directory
     * @throws UnsupportedOperationException if an option or attribute is not supported
     */
    @CheckReturnValue
    public FileHandle openFile(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return openFile(path, OpenOptions.of(options, attributes));
    }

    private FileHandle openFile(Path relative, OpenOptions options) throws IOException {
        options.requirePathInDirectory(relative);
        StackReserve.requireForOpening();
        Path full = path.resolve(relative);
        long fd = call(directory -> system.unix().open(directory, relative, options));
        if (fd < 0) {
            throw new SystemCallException("openat", full.toString(), fd, options.advice(fd));
        }
        return FileHandle.adopt(descriptor.binding(), fd, full, options);
    }

    /** {@return the attributes of this directory, as {@link FileHandle#status} does for a file} */
    public PosixFileAttributes status() throws IOException {
        return FileStatus.of(this);
    }

    /**
     * {@return the attributes of a file or directory in this directory}
     *
     * @param name its name; for a symbolic link, the attributes are those of the link itself
     * @throws SystemCallException such as {@code ENOENT}
     */
    public PosixFileAttributes status(Path name) throws IOException {
        PathBytes.requireName(name);
        return FileStatus.of(this, name);
    }

    /**
     * {@return the target of a symbolic link, as it is written in the link}
     *
     * @param name the name of the link
     * @throws SystemCallException {@code EINVAL} if it is not a link
     */
    public Path readLink(Path name) throws IOException {
        PathBytes.requireName(name);
        try (Scratch scratch = Scratch.withPath(descriptor.binding(), name)) {
            long length = call("readlinkat", name, directory -> system.unix().readLink(directory, scratch));
            byte[] target = new byte[(int) length];
            scratch.memory().get(Scratch.COPY, target);
            return PathBytes.toPath(target);
        }
    }

    /**
     * Renames a file or directory in this directory. If the new name exists, it is replaced atomically: at no time is
     * the name missing.
     *
     * @param name    its name
     * @param newName its new name
     * @throws SystemCallException such as {@code ENOENT}, {@code EISDIR}
     */
    public void rename(Path name, Path newName) throws IOException {
        PathBytes.requireName(name);
        PathBytes.requireName(newName);
        call("renameat", name, directory -> system.unix().rename(directory, name, directory, newName));
    }

    /**
     * Moves a file or directory from here to another directory of the same file system, where it takes the place of
     * what has the new name.
     *
     * @param name    its name here
     * @param target  the other directory
     * @param newName its name there
     * @throws SystemCallException such as {@code ENOENT}, {@code EXDEV}
     */
    public void rename(Path name, DirectoryHandle target, Path newName) throws IOException {
        PathBytes.requireName(name);
        PathBytes.requireName(newName);
        long other = target.descriptor.acquire();
        try {
            call("renameat", name, directory -> system.unix().rename(directory, name, other, newName));
        } finally {
            target.descriptor.release();
        }
    }

    /**
     * Gives a file or directory here another name, unless there is such a name already.
     *
     * @param name    its name
     * @param newName its name from now on
     * @throws SystemCallException           such as {@code EEXIST}; for a file system that cannot, {@code EINVAL}, on
     *                                       macOS {@code EOPNOTSUPP}
     * @throws UnsupportedOperationException except on Linux and macOS
     */
    public void renameUnlessExists(Path name, Path newName) throws IOException {
        PathBytes.requireName(name);
        PathBytes.requireName(newName);
        call("renameat2", name, directory -> system.unix().renameUnlessExists(directory, name, newName));
    }

    /**
     * Exchanges two names here, so that at no time one of them is missing.
     *
     * @param name  one name
     * @param other the other one
     * @throws SystemCallException           such as {@code ENOENT}; for a file system that cannot, {@code EINVAL}, on
     *                                       macOS {@code EOPNOTSUPP}
     * @throws UnsupportedOperationException except on Linux and macOS
     */
    public void exchange(Path name, Path other) throws IOException {
        PathBytes.requireName(name);
        PathBytes.requireName(other);
        call("renameat2", name, directory -> system.unix().exchange(directory, name, other));
    }

    /**
     * Gives a file here a further name.
     *
     * @param name    its name; a symbolic link itself gets the further name
     * @param newName the further name
     * @throws SystemCallException such as {@code EEXIST}; {@code EPERM} for a directory
     */
    public void link(Path name, Path newName) throws IOException {
        PathBytes.requireName(name);
        PathBytes.requireName(newName);
        call("linkat", newName, directory -> system.unix().link(directory, name, newName));
    }

    /**
     * Creates a directory in this one.
     *
     * @param name       its name
     * @param attributes its permissions, which the umask restricts
     * @throws SystemCallException           such as {@code EEXIST}
     * @throws UnsupportedOperationException if there is another attribute
     */
    public void createDirectory(Path name, FileAttribute<?>... attributes) throws IOException {
        PathBytes.requireName(name);
        int mode = OpenOptions.directoryMode(attributes);
        call("mkdirat", name, directory -> system.unix().createDirectory(directory, name, mode));
    }

    /**
     * Removes an empty directory from this one.
     *
     * @param name its name
     * @throws SystemCallException such as {@code ENOTEMPTY}; {@code ENOTDIR} for anything else
     */
    public void deleteDirectory(Path name) throws IOException {
        PathBytes.requireName(name);
        call("unlinkat", name, directory -> system.unix().deleteDirectory(directory, name));
    }

    /**
     * Waits until the names that are in this directory at the time of the call are on the disk.
     *
     * @throws SystemCallException such as {@code EIO}; {@code EACCES} if the directory must not be read
     */
    public void force() throws IOException {
        StackReserve.requireForOpening();
        call("fsync", system.unix()::forceDirectory);
    }

    /**
     * Removes a file from this directory.
     *
     * @param name its name; a symbolic link itself is removed
     * @throws SystemCallException such as {@code ENOENT}; {@code EISDIR} or {@code EPERM} for a directory
     */
    public void delete(Path name) throws IOException {
        PathBytes.requireName(name);
        call("unlinkat", name, directory -> system.unix().delete(directory, name));
    }

    private long call(String function, Path name, LongUnaryOperator call) throws IOException {
        long result = call(call);
        if (result < 0) {
            throw new SystemCallException(function, path.resolve(name).toString(), result);
        }
        return result;
    }
}
