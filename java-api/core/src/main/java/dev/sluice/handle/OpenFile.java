package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Errno;
import dev.sluice.failure.StackReserve;
import dev.sluice.system.RangeCall;
import dev.sluice.system.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.attribute.PosixFileAttributes;
import org.jspecify.annotations.Nullable;

/** What is asked about an open file and its ranges, besides reading and writing it. */
abstract sealed class OpenFile extends Facade permits FileHandle {

    OpenFile(Handle handle) {
        super(handle);
    }

    /**
     * {@return the length in bytes, on Linux also of a block device; 0 for a file that the system generates while it is
     * read, such as one below {@code /proc}}
     *
     * @throws IOException if there is no length, as for a pipe
     */
    public final long size() throws IOException {
        return call("lseek", system::size);
    }

    /**
     * {@return the attributes of the open file, even if its path refers to another file now} The {@code fileKey} is the
     * number of the inode, a {@link Long}. Where the system does not return the time of creation, that is the time of
     * the last modification.
     *
     * @throws UnsupportedOperationException on Windows
     */
    public final PosixFileAttributes status() throws IOException {
        return FileStatus.of(this);
    }

    /**
     * {@return the number of names that the file has; 0 if it has lost the last one}
     *
     * @throws UnsupportedOperationException on Windows
     */
    public final int links() throws IOException {
        return FileStatus.of(this).links();
    }

    /**
     * {@return the space that the file takes, in bytes, which is less than its length if it has holes}
     *
     * @throws UnsupportedOperationException on Windows
     */
    public final long allocatedSize() throws IOException {
        return FileStatus.of(this).allocatedSize();
    }

    /**
     * {@return whether the file can be opened with {@link FileOption#DONTCACHE}, as far as the kernel and its file
     * system decide that} False on systems other than Linux.
     */
    public final boolean supportsDontcache() throws IOException {
        return call(system::requireDontcache) == 0;
    }

    /**
     * {@return the smallest length of a write that is atomic if the file is opened with {@link FileOption#ATOMIC}, in
     * bytes, a power of two; 0 if the kernel, its file system or its disk has no atomic writes} It is 0 on systems
     * other than Linux.
     */
    public final int minAtomicWrite() throws IOException {
        return atomicLength(Scratch.ATOMIC_MIN);
    }

    /** {@return the largest length of such a write; otherwise as {@link #minAtomicWrite}} */
    public final int maxAtomicWrite() throws IOException {
        return atomicLength(Scratch.ATOMIC_MAX);
    }

    private int atomicLength(int at) throws IOException {
        try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
            call("statx", fd -> system.atomicLengths(fd, scratch));
            return scratch.memory().getInt(at);
        }
    }

    /**
     * Truncates or extends the file; new bytes are zero.
     *
     * @param size the new length in bytes
     * @throws IllegalArgumentException if the size is negative
     * @throws SystemCallException      if the call fails, such as {@code EINVAL} on a file that was opened for reading
     */
    public final void truncate(long size) throws IOException {
        if (size < 0) {
            throw new IllegalArgumentException("size: " + size);
        }
        call("ftruncate", fd -> system.truncate(fd, size));
    }

    /**
     * Waits until everything written is on the disk, including the metadata of the file, such as the time of the write.
     * On macOS that is {@code F_FULLFSYNC}, which also empties the cache of the drive; a file system that does not
     * support it gets {@code fsync}.
     *
     * @throws SystemCallException if the disk fails. Data written before may then be lost, even if a further call
     *                             succeeds, because the system may have dropped what it could not write
     */
    public final void force() throws IOException {
        call("fsync", system::force);
    }

    /**
     * Waits until everything written is on the disk, including the metadata that is needed to read it again, such as
     * the length of the file. Where the system can omit other metadata, such as the time of the write, this is faster
     * than {@link #force()} if the length has not changed. On Windows and macOS both do the same.
     *
     * @throws SystemCallException as for {@link #force()}
     */
    public final void forceData() throws IOException {
        call("fdatasync", system::forceData);
    }

    /**
     * Reserves space for a range, so that a later write into it does not fail because the disk is full. A file that is
     * shorter is extended with zeros. On Windows and macOS the length is checked before the call, which removes what is
     * appended in between, and nothing is reserved in the holes of a sparse file, nor in a file that is long enough
     * ({@code FileAllocationInfo}, {@code F_PREALLOCATE}).
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws IllegalArgumentException      if the range is not one
     * @throws SystemCallException           such as {@code ENOSPC}, or {@code EOPNOTSUPP} for a file system that
     *                                       cannot; what has been reserved by then may stay so
     * @throws UnsupportedOperationException on OpenBSD
     */
    public final void allocate(long position, long length) throws IOException {
        RangeCall.requireRange(position, length);
        call("fallocate", fd -> system.call(RangeCall.ALLOCATE, fd, position, length));
    }

    /**
     * Frees the space of a range, which then reads as zeros. The length of the file stays. On macOS
     * ({@code F_PUNCHHOLE}) blocks are freed by one call, and the bytes beside them zeroed by others. On Windows
     * ({@code FSCTL_SET_ZERO_DATA}) the file becomes a sparse one, and remains so. On FreeBSD ({@code fspacectl}) a
     * file system that cannot free space writes the zeros.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1; blocks of which it is only a part are not freed but zeroed
     * @throws IllegalArgumentException      if the range is not one
     * @throws SystemCallException           such as {@code EOPNOTSUPP} for a file system that cannot, and on macOS for
     *                                       a part of a block of a file that was opened for appending
     * @throws UnsupportedOperationException on OpenBSD, and on FreeBSD before 14
     */
    public final void punchHole(long position, long length) throws IOException {
        RangeCall.requireRange(position, length);
        call("fallocate", fd -> system.call(RangeCall.PUNCH_HOLE, fd, position, length));
    }

    /**
     * Begins to read a range into the system's cache, and does not wait for that. What is behind the end of the file is
     * ignored.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws IllegalArgumentException      if the range is not one
     * @throws SystemCallException           such as {@code ESPIPE} for a pipe
     * @throws UnsupportedOperationException on OpenBSD and Windows
     */
    public final void prefetch(long position, long length) throws IOException {
        RangeCall.requireRange(position, length);
        call("posix_fadvise", fd -> system.call(RangeCall.PREFETCH, fd, position, length));
    }

    /**
     * Drops a range from the system's cache, as far as it has been written back.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws IllegalArgumentException      if the range is not one
     * @throws SystemCallException           such as {@code ESPIPE} for a pipe
     * @throws UnsupportedOperationException except on Linux and FreeBSD
     */
    public final void evict(long position, long length) throws IOException {
        RangeCall.requireRange(position, length);
        call("posix_fadvise", fd -> system.call(RangeCall.EVICT, fd, position, length));
    }

    /**
     * Waits until what was written to a range has been given to the disk. This makes nothing durable: the bytes may be
     * in the disk's own cache, and the file system may not have written where they are. A later {@link #forceData()}
     * has less to write.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1
     * @throws IllegalArgumentException      if the range is not one
     * @throws SystemCallException           such as {@code EIO}
     * @throws UnsupportedOperationException except on Linux
     */
    public final void writeBack(long position, long length) throws IOException {
        RangeCall.requireRange(position, length);
        call("sync_file_range", fd -> system.call(RangeCall.WRITE_BACK, fd, position, length));
    }

    /**
     * Locks a range against other open files, of this process as well, and waits until that is possible; closing the
     * file does not end the wait. The lock belongs to this open file, and ends with it, whereas the locks of a {@code
     * FileChannel} belong to the process; on local file systems the two exclude each other. On Unix
     * a lock is advisory; on Windows the system also refuses the reads and writes of others.
     *
     * <p>On Linux and macOS this is {@code F_OFD_SETLKW} (fcntl(2)). FreeBSD and OpenBSD have {@code flock} for open
     * files, which locks the whole file: there the range has to be that, from 0 to {@link Long#MAX_VALUE}. An open file
     * whose shared lock is replaced by an exclusive one may hold none in between (flock(2)).
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1; {@link Long#MAX_VALUE} for all up to the end
     * @param shared   whether others may hold shared locks of the range as well; a shared lock needs a file that is
     *                 open for reading, any other one a file that is open for writing
     * @return the lock, which closing it ends
     * @throws IllegalArgumentException      if the range is not one
     * @throws SystemCallException           such as {@code EBADF} if the file is not open for that
     * @throws UnsupportedOperationException on FreeBSD and OpenBSD, for a part of the file
     */
    @CheckReturnValue
    public final Closeable lock(long position, long length, boolean shared) throws IOException {
        long range = RangeCall.lockedLength(position, length);
        // Before the call: without this object nothing could end the lock.
        RangeLock lock = new RangeLock(descriptor, position, range);
        StackReserve.requireForOpening();
        call("lock", fd -> system.lock(fd, position, range, shared, true));
        return lock;
    }

    /**
     * Locks a range as {@link #lock} does, without waiting.
     *
     * @param position the first byte
     * @param length   the number of bytes, at least 1; {@link Long#MAX_VALUE} for all up to the end
     * @param shared   as for {@link #lock}
     * @return the lock; null if a part of the range is locked
     * @throws IllegalArgumentException      if the range is not one
     * @throws SystemCallException           as for {@link #lock}
     * @throws UnsupportedOperationException as for {@link #lock}
     */
    @CheckReturnValue
    public final @Nullable Closeable tryLock(long position, long length, boolean shared) throws IOException {
        long range = RangeCall.lockedLength(position, length);
        RangeLock lock = new RangeLock(descriptor, position, range);
        StackReserve.requireForOpening();
        long result = call(fd -> system.lock(fd, position, range, shared, false));
        if (Errno.EAGAIN.is(result)) {
            return null;
        }
        check("lock", result);
        return lock;
    }

    /**
     * Copies a part of this file to another one. On Linux and FreeBSD, as far as {@code copy_file_range} can, its bytes
     * do not pass through this process, and file systems that share blocks between files do that. Ranges of one file
     * must not overlap.
     *
     * @param position       the first byte here
     * @param count          the number of bytes
     * @param target         the file to copy to
     * @param targetPosition the first byte there; the end of a file that was opened for appending
     * @return the number of bytes copied, fewer only if this file was shorter when the copy began
     * @throws IllegalArgumentException if a number is negative, or the target was opened with {@link FileOption#ATOMIC}
     * @throws SystemCallException      such as {@code ENOSPC}; some bytes may have been copied. {@code EINVAL} if one
     *                                  of the files was opened with {@link FileOption#DIRECT}, and the system cannot
     *                                  copy the range itself
     */
    public final long copyTo(long position, long count, FileHandle target, long targetPosition) throws IOException {
        FileHandle.requirePosition(position);
        FileHandle.requirePosition(targetPosition);
        if (count < 0) {
            throw new IllegalArgumentException("count: " + count);
        }
        return new FileCopy(this, target).copy(position, Math.min(count, Long.MAX_VALUE - Math.max(position,
                targetPosition)), targetPosition);
    }
}
