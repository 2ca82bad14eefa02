package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.failure.StackReserve;
import dev.sluice.system.OpenFlags;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.PathBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file. Reads and writes name their position, so that several threads can share one handle; to append, open it with
 * {@link StandardOpenOption#APPEND}. They wait for the disk: readiness means nothing for a file.
 */
public final class FileHandle extends Facade {

    /** What {@link #read} returns at or past the end of the file. */
    public static final int END_OF_FILE = -1;

    private static final ByteTransfer.Call PREAD = (system, fd, address, length, offset) ->
            system.read(fd, address, length, offset);
    private static final ByteTransfer.Call PWRITE = (system, fd, address, length, offset) ->
            system.write(fd, address, length, offset);
    private static final ByteTransfer.Call APPEND = (system, fd, address, length, offset) ->
            system.append(fd, address, length);
    private static final ByteTransfer.VectorCall PREADV = (system, fd, scratch, elements, offset) ->
            system.read(fd, scratch, elements, offset);
    private static final ByteTransfer.VectorCall PWRITEV = (system, fd, scratch, elements, offset) ->
            system.write(fd, scratch, elements, offset);
    private static final ByteTransfer.VectorCall APPENDV = (system, fd, scratch, elements, offset) ->
            system.append(fd, scratch, elements);

    private FileHandle(Handle handle) {
        super(handle);
    }

    /**
     * Opens a file.
     *
     * @param path    the file
     * @param options {@code READ} (the default), {@code WRITE}, {@code APPEND}, {@code CREATE}, {@code CREATE_NEW},
     *                {@code TRUNCATE_EXISTING}, {@code SYNC} of {@link StandardOpenOption}; those that create or
     *                truncate the file are ignored unless it is opened for writing
     * @return the open file
     * @throws SystemCallException           such as {@code ENOENT}, {@code EACCES}, {@code EISDIR}
     * @throws UnsupportedOperationException if there is any other option
     * @throws java.nio.file.ProviderMismatchException if the path is in another file system, such as a zip file
     */
    @CheckReturnValue
    public static FileHandle open(Path path, OpenOption... options) throws IOException {
        // Refuses the same paths and options on every system.
        PathBytes.require(path);
        OpenFlags.of(options);
        StackReserve.requireForOpening();
        Binding binding = Bindings.current();
        long fd;
        do {
            fd = OperatingSystem.of(binding).open(path, options);
        } while (Errno.EINTR.is(fd));
        if (fd < 0) {
            throw new SystemCallException("open", path.toString(), fd);
        }
        return adopt(binding, fd, path, options);
    }

    /** Takes over a file that the system has opened; if this throws, for lack of memory, the descriptor is closed. */
    static FileHandle adopt(Binding binding, long number, Path path, OpenOption... options) {
        boolean appends = false;
        for (OpenOption option : options) {
            appends |= option == StandardOpenOption.APPEND;
        }
        Handle handle = Handle.owning(binding, number, false, appends, path);
        try {
            return new FileHandle(handle);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /**
     * Reads at a position.
     *
     * @param destination takes the bytes; its position advances
     * @param position    in the file, in bytes
     * @return the number of bytes read, 0 only if the buffer has no room, or {@link #END_OF_FILE}
     * @throws IllegalArgumentException if the position is negative
     * @throws SystemCallException      if the call fails, such as {@code EISDIR}
     */
    @CheckReturnValue
    public int read(ByteBuffer destination, long position) throws IOException {
        requirePosition(position);
        if (!destination.hasRemaining()) {
            return 0;
        }
        long result = ByteTransfer.in(descriptor, destination, PREAD, position);
        return result == 0 ? END_OF_FILE : (int) check("pread", result);
    }

    /**
     * Reads at a position into several buffers.
     *
     * @param destinations filled one after the other
     * @param offset       the first buffer
     * @param count        the number of buffers
     * @param position     in the file, in bytes
     * @return as {@link #read(ByteBuffer, long)}
     * @throws IOException as {@link #read(ByteBuffer, long)}
     */
    @CheckReturnValue
    public long read(ByteBuffer[] destinations, int offset, int count, long position) throws IOException {
        requirePosition(position);
        long room = ByteTransfer.remaining(destinations, offset, count);
        if (room == 0) {
            return 0;
        }
        if (room > Long.MAX_VALUE - position) {
            // The system refuses a range that ends beyond the largest number; the first buffer gets just as far.
            int first = offset;
            while (!destinations[first].hasRemaining()) {
                first++;
            }
            return read(destinations[first], position);
        }
        long result = ByteTransfer.vector(descriptor, destinations, offset, count, true, PREADV, position);
        return result == 0 ? END_OF_FILE : check("preadv", result);
    }

    /**
     * Writes at a position, or at the end if the file was opened with {@code APPEND}.
     *
     * @param source   the bytes; its position advances by what was written
     * @param position in the file, in bytes
     * @return the number of bytes written, fewer than the buffer has when the disk is nearly full, or when more than 64
     *         KiB are on the heap
     * @throws IllegalArgumentException if the position is negative
     * @throws SystemCallException      if the call fails, such as {@code ENOSPC}
     */
    public int write(ByteBuffer source, long position) throws IOException {
        requirePosition(position);
        if (!source.hasRemaining()) {
            return 0;
        }
        return (int) (descriptor.appends()
                ? check("write", ByteTransfer.out(descriptor, source, APPEND, position))
                : check("pwrite", ByteTransfer.out(descriptor, source, PWRITE, position)));
    }

    /**
     * Writes several buffers at a position, or at the end if the file was opened with {@code APPEND}.
     *
     * @param sources  written one after the other
     * @param offset   the first buffer
     * @param count    the number of buffers
     * @param position in the file, in bytes
     * @return the number of bytes written: at most 1024 buffers, and 64 KiB from the heap
     * @throws IOException as {@link #write(ByteBuffer, long)}
     */
    public long write(ByteBuffer[] sources, int offset, int count, long position) throws IOException {
        requirePosition(position);
        if (ByteTransfer.remaining(sources, offset, count) == 0) {
            return 0;
        }
        return descriptor.appends()
                ? check("writev", ByteTransfer.vector(descriptor, sources, offset, count, false, APPENDV, position))
                : check("pwritev", ByteTransfer.vector(descriptor, sources, offset, count, false, PWRITEV, position));
    }

    /**
     * {@return the length in bytes; 0 for what the system makes up while it is read, as files below {@code /proc}}
     *
     * @throws IOException if there is no length, as for a pipe
     */
    public long size() throws IOException {
        return call("lseek", system::size);
    }

    /**
     * {@return what is open, whatever its name stands for by now} The {@code fileKey} is the number of the inode, a
     * {@link Long}; of the times, only the last modification is known, and stands for all.
     *
     * @throws UnsupportedOperationException on Windows
     */
    public BasicFileAttributes status() throws IOException {
        return FileStatus.of(this);
    }

    /**
     * Cuts or extends the file; new bytes are zero.
     *
     * @param size the new length in bytes
     * @throws IllegalArgumentException if the size is negative
     * @throws SystemCallException      if the call fails, such as {@code EINVAL} on a file that was opened for reading
     */
    public void truncate(long size) throws IOException {
        if (size < 0) {
            throw new IllegalArgumentException("size: " + size);
        }
        call("ftruncate", fd -> system.truncate(fd, size));
    }

    /**
     * Waits until everything written is on the disk, with the status of the file, such as the time of the write.
     *
     * @throws SystemCallException if the disk fails; what was written before may be lost, even if another call
     *                             succeeds: the system may have dropped what it could not write
     */
    public void force() throws IOException {
        call("fsync", system::force);
    }

    /**
     * Waits until everything written is on the disk, and of the status of the file what is needed to read that again,
     * such as its length. Where the system can leave out the rest, such as the time of the write, this is faster than
     * {@link #force()} for a file whose length stays the same; on Windows and macOS both do the same.
     *
     * @throws SystemCallException as for {@link #force()}
     */
    public void forceData() throws IOException {
        call("fdatasync", system::forceData);
    }

    static void requirePosition(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("position: " + position);
        }
    }
}
