package dev.sluice.system;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.handle.FileOption;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Options for opening a file, checked for support and consistency, and the permissions of a new file. */
public final class OpenOptions {

    private static final int DEFAULT_MODE = 0666;
    private static final int DIRECTORY_MODE = 0777;
    private static final int PRIVATE_MODE = 0600;
    private static final String PERMISSIONS = "posix:permissions";

    private final Set<OpenOption> options;
    private final int mode;

    private OpenOptions(Set<OpenOption> options, int mode) {
        this.options = options;
        this.mode = mode;
    }

    /**
     * Checks options.
     *
     * @param requested options of {@link StandardOpenOption}, {@link LinkOption} and {@link FileOption}
     * @return the options
     * @throws UnsupportedOperationException if this system does not support an option
     * @throws IllegalArgumentException      if two options exclude each other, or one lacks an option that it requires
     */
    public static OpenOptions of(OpenOption... requested) {
        return of(List.of(requested));
    }

    /**
     * Checks options.
     *
     * @param requested  as {@link #of(OpenOption...)}
     * @param attributes the permissions of a new file
     * @return the options
     * @throws UnsupportedOperationException as {@link #of(OpenOption...)}, or if an attribute is not supported
     * @throws IllegalArgumentException      as {@link #of(OpenOption...)}
     */
    public static OpenOptions of(Collection<? extends OpenOption> requested, FileAttribute<?>... attributes) {
        Platform.Os os = Bindings.current().os();
        Set<OpenOption> options = Set.copyOf(requested);
        for (OpenOption option : options) {
            if (!isSupported(option, os)) {
                throw new UnsupportedOperationException("open option " + option + (option instanceof FileOption
                        ? " is not supported on " + os.title() : ""));
            }
        }
        if (os == Platform.Os.WINDOWS && options.contains(FileOption.DIRECT)
                && options.contains(StandardOpenOption.APPEND)) {
            // A file that may only be appended to has to use the cache (NtCreateFile).
            throw new UnsupportedOperationException("open options DIRECT and APPEND are not supported together on "
                    + os.title());
        }
        OpenOptions checked = new OpenOptions(options,
                mode(options.contains(FileOption.TMPFILE) ? PRIVATE_MODE : DEFAULT_MODE, os, attributes));
        checked.requireConsistent();
        return checked;
    }

    private static boolean isSupported(OpenOption option, Platform.Os os) {
        if (option instanceof FileOption ours) {
            return switch (ours) {
                case DIRECT -> os != Platform.Os.OPENBSD;
                case TMPFILE -> os != Platform.Os.WINDOWS;
                case BENEATH -> os == Platform.Os.LINUX || os == Platform.Os.FREEBSD;
                case DONTCACHE, ATOMIC -> os == Platform.Os.LINUX;
            };
        }
        return option instanceof StandardOpenOption && option != StandardOpenOption.SPARSE
                || option == LinkOption.NOFOLLOW_LINKS;
    }

    /**
     * Converts the permissions of a new directory.
     *
     * @param attributes the permissions; all, if there are none
     * @return the bits
     * @throws UnsupportedOperationException if there is another attribute
     */
    public static int directoryMode(FileAttribute<?>... attributes) {
        return mode(DIRECTORY_MODE, Bindings.current().os(), attributes);
    }

    private static int mode(int usual, Platform.Os os, FileAttribute<?>... attributes) {
        int mode = usual;
        for (FileAttribute<?> attribute : attributes) {
            if (!attribute.name().equals(PERMISSIONS) || os == Platform.Os.WINDOWS) {
                throw new UnsupportedOperationException("file attribute " + attribute.name());
            }
            mode = 0;
            for (Object permission : (Set<?>) attribute.value()) {
                // The constants are declared in the order of the bits, highest first.
                mode |= 1 << PosixFilePermission.OTHERS_EXECUTE.ordinal()
                        - ((PosixFilePermission) permission).ordinal();
            }
        }
        return mode;
    }

    private void requireConsistent() {
        exclude(StandardOpenOption.APPEND, StandardOpenOption.TRUNCATE_EXISTING);
        if (has(FileOption.TMPFILE)) {
            if (!writes()) {
                throw new IllegalArgumentException("TMPFILE needs WRITE or APPEND");
            }
            exclude(FileOption.TMPFILE, StandardOpenOption.CREATE);
            exclude(FileOption.TMPFILE, StandardOpenOption.CREATE_NEW);
            exclude(FileOption.TMPFILE, StandardOpenOption.TRUNCATE_EXISTING);
            exclude(FileOption.TMPFILE, StandardOpenOption.DELETE_ON_CLOSE);
        }
        exclude(FileOption.DONTCACHE, FileOption.DIRECT);
        if (has(FileOption.ATOMIC)) {
            if (!has(FileOption.DIRECT) || !has(StandardOpenOption.WRITE)) {
                throw new IllegalArgumentException("ATOMIC needs DIRECT and WRITE");
            }
            // The end of a file is seldom where an atomic write may begin.
            exclude(FileOption.ATOMIC, StandardOpenOption.APPEND);
        }
        // No system can remove a name by a path with this restriction.
        exclude(FileOption.BENEATH, StandardOpenOption.DELETE_ON_CLOSE);
    }

    private void exclude(OpenOption one, OpenOption other) {
        if (has(one) && has(other)) {
            throw new IllegalArgumentException(one + " and " + other + " exclude each other");
        }
    }

    /**
     * Rejects a path that cannot be opened with these options.
     *
     * @param path the path
     * @throws IllegalArgumentException if it is absolute and must not lead out of a directory
     * @throws java.nio.file.ProviderMismatchException if it is in another file system, such as a zip file
     */
    public void requirePath(Path path) {
        PathBytes.require(path);
        if (has(FileOption.BENEATH) && path.isAbsolute()) {
            throw new IllegalArgumentException("BENEATH needs a relative path: " + path);
        }
    }

    /**
     * Rejects a path that cannot be opened in an open directory with these options.
     *
     * @param path the path
     * @throws IllegalArgumentException unless it is {@code .}, a single name, or a relative path that must not lead out
     *                                  of the directory
     * @throws java.nio.file.ProviderMismatchException if it is in another file system, such as a zip file
     */
    public void requirePathInDirectory(Path path) {
        requirePath(path);
        if (!has(FileOption.BENEATH) && !path.equals(PathBytes.ITSELF)) {
            PathBytes.requireName(path);
        }
    }

    /** {@return whether the options include the given one} */
    public boolean has(OpenOption option) {
        return options.contains(option);
    }

    /** {@return whether the file is opened for appending} */
    public boolean appends() {
        return has(StandardOpenOption.APPEND);
    }

    /** {@return whether the file is opened for writing} */
    public boolean writes() {
        return appends() || has(StandardOpenOption.WRITE);
    }

    /** {@return whether the file is opened for reading} */
    public boolean reads() {
        return !writes() || has(StandardOpenOption.READ);
    }

    /** {@return whether the name of the file is to be removed once it is open} */
    public boolean losesName() {
        return has(StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** {@return the permissions of a new file, which the process's umask restricts} */
    public int mode() {
        return mode;
    }

    /** {@return the flags that Unix's {@code open(2)} takes} */
    public int flags() {
        int flags = FileConstants.O_CLOEXEC
                | (!writes() ? FileConstants.O_RDONLY : reads() ? FileConstants.O_RDWR : FileConstants.O_WRONLY);
        for (OpenOption option : options) {
            flags |= option instanceof StandardOpenOption standard ? flag(standard)
                    : option instanceof FileOption ours ? flag(ours) : FileConstants.O_NOFOLLOW;
        }
        return flags;
    }

    /** {@return the flags for opening a name in a directory: do not wait, and do not follow a link} */
    public int flagsOfName() {
        return flags() | FileConstants.O_NOFOLLOW | FileConstants.O_NOCTTY | FileConstants.O_NONBLOCK;
    }

    private int flag(StandardOpenOption option) {
        return switch (option) {
            case APPEND -> FileConstants.O_APPEND;
            // StandardOpenOption ignores them unless the file is opened for writing, but O_RDONLY | O_TRUNC truncates
            // the file.
            case CREATE -> writes() ? FileConstants.O_CREAT : 0;
            case CREATE_NEW -> writes() ? FileConstants.O_CREAT | FileConstants.O_EXCL : 0;
            case TRUNCATE_EXISTING -> writes() ? FileConstants.O_TRUNC : 0;
            case SYNC -> FileConstants.O_SYNC;
            case DSYNC -> FileConstants.O_DSYNC;
            // The removed name must not be that of a link to the file.
            case DELETE_ON_CLOSE -> FileConstants.O_NOFOLLOW;
            case READ, WRITE, SPARSE -> 0;
        };
    }

    private static int flag(FileOption option) {
        return switch (option) {
            case DIRECT -> Platform.CURRENT.os() == Platform.Os.MACOS ? 0 : FileConstants.O_DIRECT;
            case TMPFILE -> Platform.CURRENT.isLinux() ? FileConstants.O_TMPFILE : 0;
            case BENEATH, DONTCACHE, ATOMIC -> 0;
        };
    }

    /**
     * {@return the remedy or cause of a failure, if its error does not explain it; null otherwise}
     *
     * @param result the negated error number of the failed call
     */
    public String advice(long result) {
        if (has(FileOption.BENEATH) && Errno.ENOSYS.is(result)) {
            return "BENEATH needs openat2, which Linux has since 5.6";
        }
        if (has(FileOption.BENEATH) && (Errno.EXDEV.is(result) || Errno.ENOTCAPABLE.is(result))) {
            return "the path leads out of the directory, which BENEATH forbids";
        }
        if (has(FileOption.TMPFILE) && (Errno.EOPNOTSUPP.is(result) || Errno.EISDIR.is(result))) {
            return "the file system has no files without a name, which TMPFILE asks for";
        }
        if (has(FileOption.DONTCACHE) && Errno.EOPNOTSUPP.is(result)) {
            return "the kernel or the file system has no transfers that leave nothing in the cache, which DONTCACHE"
                    + " asks for";
        }
        if (has(FileOption.ATOMIC) && Errno.EOPNOTSUPP.is(result)) {
            return "the kernel, the file system or the disk has no atomic writes, which ATOMIC asks for";
        }
        return has(FileOption.DIRECT) && Errno.EINVAL.is(result)
                ? "the file system has no direct access, which DIRECT asks for" : null;
    }
}
