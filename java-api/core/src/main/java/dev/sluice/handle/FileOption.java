package dev.sluice.handle;

import java.nio.file.LinkOption;
import java.nio.file.OpenOption;

/** Options for opening a file that the JDK does not define. */
public enum FileOption implements OpenOption {

    /**
     * Reads and writes bypass the system's cache. They must be aligned to {@link FileHandle#directAlignment}.
     * {@code O_DIRECT} on Linux and FreeBSD, {@code F_NOCACHE} on macOS, {@code FILE_FLAG_NO_BUFFERING} on Windows;
     * OpenBSD has no such option, and Windows none together with {@code APPEND}. Opening fails with {@code EINVAL} if
     * the file system does not support direct access.
     */
    DIRECT,

    /**
     * Opens a new file without a name, in the directory that the path denotes; its space is freed when it is closed.
     * Requires {@code WRITE} or {@code APPEND}. By default only the owner may read and write it. {@code O_TMPFILE} on
     * Linux, which not every file system supports ({@code EOPNOTSUPP}). On macOS and the BSDs a file with a random name
     * is created exclusively, and its name is removed before the file is returned; a crash in between leaves it behind.
     * Windows has no files without a name.
     */
    TMPFILE,

    /**
     * Rejects a path that leads out of the directory that it is relative to, by {@code ..} or by a symbolic link. This
     * is checked by the call that opens the file, so no other process can replace a directory in between. The path is
     * relative to the working directory or to a {@link DirectoryHandle}. {@code RESOLVE_BENEATH} of {@code openat2} on
     * Linux, since 5.6; {@code O_RESOLVE_BENEATH} on FreeBSD, since 13. The last name of the path may be a link, except
     * with {@link LinkOption#NOFOLLOW_LINKS} or relative to a {@link DirectoryHandle}.
     */
    BENEATH
}
