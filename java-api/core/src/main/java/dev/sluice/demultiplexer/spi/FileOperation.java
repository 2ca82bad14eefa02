package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;

/**
 * The part of an {@link Operation} that is about ranges of files, attributes, and names in directories. The methods
 * start it, as the others of an {@code Operation} do.
 *
 * <p>An operation on a name holds the directory open until the completion. If the directory is closed before the
 * operation is executed, it fails with {@code EBADF}. Once the system executes it, it is not cancelled any more. The
 * methods throw {@link IllegalArgumentException} if a name is not a single one, as {@link DirectoryHandle} specifies.
 */
public interface FileOperation {

    /**
     * Starts an operation of the given type, as the method of that type does.
     *
     * @param type     {@link OperationType#ALLOCATE}, {@link OperationType#PUNCH_HOLE}, {@link OperationType#PREFETCH},
     *                 {@link OperationType#EVICT} or {@link OperationType#WRITE_BACK}
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws IllegalArgumentException      also if the range ends beyond the largest position
     * @throws UnsupportedOperationException if the system has no such call
     */
    void range(OperationType type, Association association, long position, long length);

    /**
     * Reserves space for a range, and extends a file that is shorter. The result is 0.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws UnsupportedOperationException on OpenBSD
     */
    default void allocate(Association association, long position, long length) {
        range(OperationType.ALLOCATE, association, position, length);
    }

    /**
     * Frees the space of a range, which then reads as zeros. The result is 0.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws UnsupportedOperationException on OpenBSD, and on FreeBSD before 14
     */
    default void punchHole(Association association, long position, long length) {
        range(OperationType.PUNCH_HOLE, association, position, length);
    }

    /**
     * Begins to read a range into the system's cache. The result is 0.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws UnsupportedOperationException on OpenBSD and Windows
     */
    default void prefetch(Association association, long position, long length) {
        range(OperationType.PREFETCH, association, position, length);
    }

    /**
     * Drops a range from the system's cache, as far as it has been written back. The result is 0.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws UnsupportedOperationException except on Linux and FreeBSD
     */
    default void evict(Association association, long position, long length) {
        range(OperationType.EVICT, association, position, length);
    }

    /**
     * Waits until what was written to a range has been given to the disk. The result is 0.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws UnsupportedOperationException except on Linux
     */
    default void writeBack(Association association, long position, long length) {
        range(OperationType.WRITE_BACK, association, position, length);
    }

    /**
     * Truncates or extends a file. The result is 0.
     *
     * @param size the new length in bytes
     */
    void truncate(Association association, long size);

    /**
     * Copies a range of a file to another one, in parts, between which it can be cancelled. The result is the number of
     * bytes copied, fewer than the given one only if the file ends before.
     *
     * @param source         the association with the file to copy from
     * @param position       the first byte
     * @param count          the number of bytes
     * @param target         the file to copy to, held open until the completion
     * @param targetPosition the first byte there; the end of a file that was opened for appending
     */
    void copy(Association source, long position, long count, FileHandle target, long targetPosition);

    /**
     * Locks a range for an open file. The result is 0, and the completion has the lock; that of a
     * {@link OperationType#TRY_LOCK} has none if a part of the range is locked by another open file or process.
     *
     * @param type     {@link OperationType#LOCK} or {@link OperationType#TRY_LOCK}
     * @param position the first byte
     * @param length   the number of bytes, at least 1; {@link Long#MAX_VALUE} for all up to the end
     * @param shared   whether others may lock it as well, in the same way
     * @throws IllegalArgumentException      also if the range ends beyond the largest position
     * @throws UnsupportedOperationException on FreeBSD and OpenBSD, for a part of the file
     */
    void lock(OperationType type, Association association, long position, long length, boolean shared);

    /**
     * Reads the attributes of a file. The result is 0, and the completion has the attributes.
     *
     * @throws UnsupportedOperationException on Windows
     */
    void status(Association association);

    /**
     * Reads the attributes of a name in a directory; for a symbolic link, those of the link itself. The result is 0,
     * and the completion has the attributes.
     *
     * @param directory the directory
     * @param name      the name
     */
    void status(DirectoryHandle directory, Path name);

    /**
     * Opens a file in a directory, as {@link DirectoryHandle#openFile(Path, java.util.Set, FileAttribute[])} does. The
     * result is 0, and the completion has the file. A cancellation does not stop the system from opening the file,
     * which the completion then has.
     *
     * @param directory  the directory; null to open the file as {@link Operation#open} does
     * @param path       the path, as for that method
     * @param options    the options, as for that method
     * @param attributes the attributes, as for that method
     * @throws UnsupportedOperationException if an option or attribute is not supported
     * @throws IllegalArgumentException      also if two options exclude each other, or one lacks an option that it
     *                                       requires
     */
    void open(DirectoryHandle directory, Path path, OpenOption[] options, FileAttribute<?>[] attributes);

    /**
     * Starts an operation on a name. The result is 0.
     *
     * @param type       {@link OperationType#DELETE}, {@link OperationType#DELETE_DIRECTORY}, or
     *                   {@link OperationType#CREATE_DIRECTORY}
     * @param directory  the directory
     * @param name       the name
     * @param attributes the permissions of a new directory
     * @throws UnsupportedOperationException if there is another attribute
     */
    void name(OperationType type, DirectoryHandle directory, Path name, FileAttribute<?>... attributes);

    /**
     * Starts an operation on two names in a directory. The result is 0.
     *
     * @param type      {@link OperationType#RENAME}, {@link OperationType#RENAME_UNLESS_EXISTS},
     *                  {@link OperationType#EXCHANGE} or {@link OperationType#LINK}
     * @param directory the directory
     * @param name      the first name
     * @param newName   the second name
     * @throws UnsupportedOperationException if the system cannot do that
     */
    void names(OperationType type, DirectoryHandle directory, Path name, Path newName);

    /**
     * Moves what has a name to another directory of the same file system, where it replaces what has the new name. The
     * result is 0.
     *
     * @param directory the directory
     * @param name      the name
     * @param target    the other directory, held open as well; null for the same
     * @param newName   the new name
     */
    void rename(DirectoryHandle directory, Path name, DirectoryHandle target, Path newName);

    /**
     * Writes the names in a directory to the disk. The result is 0.
     *
     * @param directory the directory
     */
    void forceDirectory(DirectoryHandle directory);
}
