package dev.sluice.handle;

import java.nio.file.LinkOption;
import java.nio.file.OpenOption;

/** Options for opening a file that the JDK has no name for. */
public enum FileOption implements OpenOption {

    /**
     * Reads and writes go to the device without the system's cache. They have to be aligned as
     * {@link FileHandle#directAlignment} says. {@code O_DIRECT} on Linux and FreeBSD, {@code F_NOCACHE} on macOS,
     * {@code FILE_FLAG_NO_BUFFERING} on Windows; OpenBSD has no such option. Opening fails with {@code EINVAL} where
     * the file system has no direct access.
     */
    DIRECT,

    /**
     * Opens a new file that has no name, in the directory that the path names; its space is freed when it is closed.
     * Needs {@code WRITE} or {@code APPEND}. Unless other permissions are given, only the owner may read and write it.
     * {@code O_TMPFILE} on Linux, where not every file system has it ({@code EOPNOTSUPP}). On macOS and the BSDs a file
     * with a random name is created exclusively, and its name removed before the file is returned; a crash in between
     * leaves it behind. Windows has no files without a name.
     */
    TMPFILE,

    /**
     * Refuses a path that leads out of the directory in which it begins, be it by {@code ..} or by a symbolic link, in
     * the same call that opens the file: no other process can replace a directory in between. The path is relative, to
     * the working directory or to a {@link DirectoryHandle}. {@code RESOLVE_BENEATH} of {@code openat2} on Linux, since
     * 5.6; {@code O_RESOLVE_BENEATH} on FreeBSD, since 13. The last name of the path may be a link unless there is
     * {@link LinkOption#NOFOLLOW_LINKS}.
     */
    BENEATH
}
