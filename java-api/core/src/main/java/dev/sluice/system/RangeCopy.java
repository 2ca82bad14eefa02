package dev.sluice.system;

import dev.sluice.calls.Errno;
import java.util.function.LongSupplier;

/**
 * Copies a range of an open file to another one, part by part: by the system if it can, and otherwise by reading and
 * writing. Used by one thread at a time.
 */
public final class RangeCopy {

    /** The maximum number of bytes that one part reads and writes. */
    private static final int MAX_PASSED = 16 * Scratch.COPY_SIZE;

    private static final long UNKNOWN = -1;
    private static final String COPYING = "copy_file_range";
    private static final String READING = "pread";

    private boolean appends;
    /** Whether the bytes have to be read and written. */
    private boolean passes;
    private String call = COPYING;
    /** The end of the source when its first part is copied. */
    private long end = UNKNOWN;

    /**
     * Begins a copy.
     *
     * @param toEnd whether the target was opened for appending: a call with a position could not append
     */
    public void begin(boolean toEnd) {
        appends = toEnd;
        passes = toEnd;
        call = COPYING;
        end = UNKNOWN;
    }

    /** {@return the name of the latest system call, for messages} */
    public String call() {
        return call;
    }

    /** {@return whether the latest system call was about the source alone} */
    public boolean isReading() {
        return call.equals(READING);
    }

    /**
     * Copies a part.
     *
     * @param system     the system of both files
     * @param from       the file to copy from
     * @param position   the first byte there
     * @param to         the file to copy to
     * @param toPosition the first byte there, unless bytes are appended
     * @param count      the maximum number of bytes, at least 1
     * @return the number of bytes copied, 0 at the end that the source had at the first part, or a negated error number
     */
    public long part(OperatingSystem system, long from, long position, long to, long toPosition, long count) {
        if (end == UNKNOWN) {
            end = endOf(system, from);
        }
        return position >= end ? 0
                : partBefore(system, from, position, to, toPosition, Math.min(count, end - position));
    }

    /** Without this end, a copy to the end of the same file would move the end with each part. */
    private static long endOf(OperatingSystem system, long file) {
        long size = system.size(file);
        // Files that the system makes up while they are read say 0. An error comes again from the copy.
        return size > 0 ? size : Long.MAX_VALUE;
    }

    private long partBefore(OperatingSystem system, long from, long position, long to, long toPosition, long count) {
        try (Scratch scratch = Scratch.withCapacity(system.binding, Scratch.COPY_SIZE)) {
            if (!passes) {
                long copied = repeated(() -> system.copy(from, position, to, toPosition, count, scratch));
                if (copied > 0 || copied < 0 && !Errno.ENOSYS.is(copied)) {
                    return copied;
                }
                // Files that the system makes up while they are read seem to be empty here.
                passes = true;
            }
            return pass(system, from, position, to, toPosition, Math.min(count, MAX_PASSED), scratch);
        }
    }

    private long pass(OperatingSystem system, long from, long position, long to, long toPosition, long count,
            Scratch scratch) {
        long done = 0;
        long result = 1;
        while (result > 0 && done < count) {
            result = piece(system, from, position + done, to, toPosition + done, count - done, scratch);
            done += Math.max(0, result);
        }
        // A failure after some bytes comes again with the next part.
        return done > 0 ? done : result;
    }

    private long piece(OperatingSystem system, long from, long position, long to, long toPosition, long count,
            Scratch scratch) {
        long bytes = scratch.address(Scratch.COPY);
        call = READING;
        long read = repeated(() -> system.read(from, bytes, Math.min(count, Scratch.COPY_SIZE), position));
        if (read <= 0) {
            return read;
        }
        call = appends ? "write" : "pwrite";
        long written = 0;
        while (written < read) {
            long at = written;
            long result = repeated(() -> appends ? system.append(to, bytes + at, read - at)
                    : system.write(to, bytes + at, read - at, toPosition + at));
            if (result <= 0) {
                // A system that accepts no byte would be asked forever.
                return written > 0 ? written : result < 0 ? result : -Errno.EIO.number();
            }
            written += result;
        }
        return read;
    }

    /** Repeats a call that is interrupted. */
    private static long repeated(LongSupplier call) {
        long result;
        do {
            result = call.getAsLong();
        } while (Errno.EINTR.is(result));
        return result;
    }
}
