package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import java.nio.file.Path;

/** What is asked of a system about files, where systems have different calls. */
abstract class SystemFiles {

    private static final String FLAGGED = "takes flags with a transfer";

    final Binding binding;
    final Memory memory;

    SystemFiles(Binding binding) {
        this.binding = binding;
        this.memory = binding.memory();
    }

    /**
     * Opens a file.
     *
     * @param path    the file
     * @param options the options
     * @return the file
     */
    public abstract long open(Path path, OpenOptions options);

    /**
     * Stores the alignment of direct transfers of a file at {@link Scratch#DIRECT_MEMORY} and the following offsets.
     *
     * @param file    the file
     * @param scratch memory without a path
     * @return 0, or a negated error number
     */
    public abstract int directAlignment(long file, Scratch scratch);

    public abstract long read(long file, long address, long length, long position);

    public abstract long write(long file, long address, long length, long position);

    public abstract long read(long file, Scratch scratch, int elements, long position);

    public abstract long write(long file, Scratch scratch, int elements, long position);

    /**
     * Writes to the end of a file that was opened for appending; a call with a position might write at that position
     * instead.
     */
    public abstract long append(long file, long address, long length);

    public abstract long append(long file, Scratch scratch, int elements);

    /**
     * As {@link #read(long, long, long, long)}, with the {@code RWF_} flags of {@code preadv2}.
     *
     * @throws UnsupportedOperationException if the system does not have that call
     */
    public long read(long file, long address, long length, long position, int flags) {
        throw unsupported(FLAGGED);
    }

    /** As {@link #read(long, long, long, long, int)}. If the file was opened for appending, the position is ignored. */
    public long write(long file, long address, long length, long position, int flags) {
        throw unsupported(FLAGGED);
    }

    /** As {@link #read(long, long, long, long, int)}, for a vector. */
    public long readVector(long file, long vector, int elements, long position, int flags) {
        throw unsupported(FLAGGED);
    }

    /** As {@link #write(long, long, long, long, int)}, for a vector. */
    public long writeVector(long file, long vector, int elements, long position, int flags) {
        throw unsupported(FLAGGED);
    }

    /** {@return 0 if transfers of a file may leave nothing in the cache; otherwise a negated error number} */
    public int requireDontcache(long file) {
        return -Errno.EOPNOTSUPP.number();
    }

    /**
     * Stores the smallest length of an atomic write at {@link Scratch#ATOMIC_MIN} and the largest one at
     * {@link Scratch#ATOMIC_MAX}; both are 0 if there are none.
     *
     * @return 0, or a negated error number
     */
    public int atomicLengths(long file, Scratch scratch) {
        return scratch.atomic(0, 0);
    }

    public abstract long size(long file);

    public abstract int truncate(long file, long size);

    /** Makes the data written to a file durable, as far as the system supports that. */
    public abstract int force(long file);

    /**
     * Makes the data written to a file durable, including the metadata that is needed to read it again, such as the
     * length, but not, for example, the time of the write. By default the same as {@link #force}.
     */
    public int forceData(long file) {
        return force(file);
    }

    /**
     * Maps a part of a file.
     *
     * @param writable whether the memory may be written to
     * @param shared   whether writing to the memory changes the file
     * @param position the position of the part in the file
     * @param length   the length of the part in bytes
     * @return the address of the mapping, or a negated error number
     */
    public abstract long map(long file, boolean writable, boolean shared, long position, long length);

    public abstract int forceMapping(long address, long length);

    public abstract int unmap(long address, long length);

    // What not all systems have

    final UnsupportedOperationException unsupported(String what) {
        return new UnsupportedOperationException(binding.os().title() + " has no call that " + what);
    }

    /** {@return whether the system has a call on ranges of files} */
    public boolean has(RangeCall call) {
        return false;
    }

    /**
     * Checks that the system has a call on ranges of files.
     *
     * @throws UnsupportedOperationException if it has not
     */
    public final void require(RangeCall call) {
        if (!has(call)) {
            throw unsupported(call.purpose());
        }
    }

    /**
     * Makes a call on a range of a file.
     *
     * @return 0, or a negated error number
     * @throws UnsupportedOperationException if the system does not have it
     */
    public int call(RangeCall call, long file, long position, long length) {
        throw unsupported(call.purpose());
    }

    /** {@return whether the system can lock a range for an open file, given the range as for {@link #lock}} */
    boolean canLock(long position, long length) {
        return true;
    }

    /**
     * Checks that the system can lock a range for an open file.
     *
     * @param position the first byte
     * @param length   the number of bytes, 0 for all up to the end
     * @throws UnsupportedOperationException if it cannot
     */
    public final void requireLock(long position, long length) {
        if (!canLock(position, length)) {
            throw unsupported("locks a part of an open file; the whole file can be locked, from 0 to Long.MAX_VALUE");
        }
    }

    /**
     * Locks a range for an open file.
     *
     * @param length 0 for all up to the end, wherever that will be
     * @param shared whether other open files may lock it as well, in the same way
     * @param waits  whether to wait until it can be locked
     * @return 0, or a negated error number: {@code EAGAIN} if it is locked already
     * @throws UnsupportedOperationException on FreeBSD and OpenBSD, unless it is the whole file
     */
    public abstract int lock(long file, long position, long length, boolean shared, boolean waits);

    /** Unlocks a range that has been locked as a whole. */
    public abstract int unlock(long file, long position, long length);

    /**
     * Copies a part of a file to another one without its bytes passing through this process.
     *
     * @param scratch for the call's own use
     * @return how many bytes, 0 at the end of the file; {@code ENOSYS} where the system cannot do that
     */
    public long copy(long from, long position, long to, long toPosition, long count, Scratch scratch) {
        return -Errno.ENOSYS.number();
    }
}
