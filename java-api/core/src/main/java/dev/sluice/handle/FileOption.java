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
     * Reads and writes use the system's cache, but as a rule leave nothing in it: what a read has brought is dropped
     * afterwards, and what is written is given to the disk soon and then dropped. What was in the cache before stays
     * there, and so does what another thread uses, or the system writes to the disk, just when it would be dropped.
     * Unlike {@link #DIRECT}, needs no alignment. For backups and other large transfers whose bytes are not needed
     * again. Has no effect on {@link FileHandle#copyTo}, on a file that a socket sends, and on
     * {@link FileHandle#allocate}. {@code RWF_DONTCACHE} of {@code preadv2} on Linux, since 6.14, on ext4, XFS and
     * others; {@link FileHandle#supportsDontcache} says whether the file system of an open file has it. Opening fails
     * with {@code EOPNOTSUPP} where the kernel or the file system has not; by then, a new file has been created, and an
     * existing one truncated if that was asked for. Excludes {@code DIRECT}.
     */
    DONTCACHE,

    /**
     * Each write is atomic: if the power fails, or the system, the file contains either all its bytes or none of them.
     * A write takes one buffer; its length is a power of two from {@link FileHandle#minAtomicWrite} to
     * {@link FileHandle#maxAtomicWrite}, and its position a multiple of that. Any other is refused by an
     * {@code IllegalArgumentException} before the system is asked, and so is {@link FileHandle#copyTo} with such a
     * target. Atomic does not mean durable: that takes a
     * {@code force}, or {@code DSYNC}. Requires {@link #DIRECT} and {@code WRITE}, and excludes {@code APPEND}.
     * {@code RWF_ATOMIC} of {@code pwritev2} on Linux, since 6.11 on XFS and block devices, since 6.13 on ext4, if the
     * disk has atomic writes; since 6.16, XFS also has them where the disk has not. Opening fails with
     * {@code EOPNOTSUPP} where there are none; by then, a new file has been created, and an existing one truncated if
     * that was asked for.
     */
    ATOMIC,

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
