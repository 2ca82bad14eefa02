package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.spi.DirectTransfer;
import dev.sluice.handle.spi.FileUse;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

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

    private static final FileUse APPENDING = new FileUse(true, null);

    private FileHandle(Handle handle) {
        super(handle);
    }

    /**
     * Opens a file.
     *
     * @param path    the file; with {@link FileOption#TMPFILE}, a directory
     * @param options as for {@link #open(Path, Set, FileAttribute[])}
     * @return the open file
     * @throws SystemCallException           such as {@code ENOENT}, {@code EACCES}, {@code EISDIR}
     * @throws UnsupportedOperationException if there is any other option
     * @throws IllegalArgumentException      if two options exclude each other, or one lacks what it needs
     * @throws java.nio.file.ProviderMismatchException if the path is in another file system, such as a zip file
     */
    @CheckReturnValue
    public static FileHandle open(Path path, OpenOption... options) throws IOException {
        return open(path, OpenOptions.of(options));
    }

    /**
     * Opens a file, which a block device may be.
     *
     * @param path       the file; with {@link FileOption#TMPFILE}, a directory
     * @param options    {@code READ} (the default), {@code WRITE}, {@code APPEND}, {@code CREATE}, {@code CREATE_NEW},
     *                   {@code TRUNCATE_EXISTING}, {@code SYNC}, {@code DSYNC}, {@code DELETE_ON_CLOSE} of
     *                   {@link StandardOpenOption}; those that create or truncate the file are ignored unless it is
     *                   opened for writing; {@link java.nio.file.LinkOption#NOFOLLOW_LINKS}, with which a symbolic link
     *                   fails with {@code ELOOP} (on FreeBSD {@code EMLINK}); those of {@link FileOption}. On Unix,
     *                   {@code DELETE_ON_CLOSE} removes the name before this returns, unless it stands for another file
     *                   by then; a file that gets the name in the moment between that check and the removal loses it.
     *                   On Windows the system removes the name when the last handle of the file is closed. A symbolic
     *                   link is not followed then
     * @param attributes the permissions of a new file, of which the umask takes some away: {@link
     *                   java.nio.file.attribute.PosixFilePermissions#asFileAttribute}, on Unix
     * @return the open file
     * @throws SystemCallException           such as {@code ENOENT}, {@code EACCES}, {@code EISDIR}
     * @throws UnsupportedOperationException if there is another option or attribute, or one that this system lacks
     * @throws IllegalArgumentException      if two options exclude each other, or one lacks what it needs
     * @throws java.nio.file.ProviderMismatchException if the path is in another file system, such as a zip file
     */
    @CheckReturnValue
    public static FileHandle open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return open(path, OpenOptions.of(options, attributes));
    }

    private static FileHandle open(Path path, OpenOptions options) throws IOException {
        // Refuses the same paths and options on every system.
        options.requirePath(path);
        StackReserve.requireForOpening();
        Binding binding = Bindings.current();
        long fd;
        do {
            fd = OperatingSystem.of(binding).open(path, options);
        } while (Errno.EINTR.is(fd));
        if (fd < 0) {
            throw new SystemCallException("open", path.toString(), fd, options.advice(fd));
        }
        return adopt(binding, fd, path, options);
    }

    /** Takes over a file that the system has opened; if this throws, such as for lack of memory, it is closed. */
    static FileHandle adopt(Binding binding, long number, Path path, OpenOptions options) throws SystemCallException {
        FileUse use = options.has(FileOption.DIRECT) ? directUse(binding, number, path, options)
                : options.appends() ? APPENDING : FileUse.NONE;
        Handle handle = Handle.owning(binding, number, false, use, path);
        try {
            return new FileHandle(handle);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    private static FileUse directUse(Binding binding, long number, Path path, OpenOptions options)
            throws SystemCallException {
        OperatingSystem system = OperatingSystem.of(binding);
        FileUse use = null;
        try (Scratch scratch = Scratch.borrow(binding)) {
            int result = system.directAlignment(number, scratch);
            if (result < 0) {
                throw new SystemCallException("statx", path.toString(), result);
            }
            FileAlignment alignment = FileAlignment.in(scratch);
            if (alignment == null) {
                long refused = -Errno.EINVAL.number();
                throw new SystemCallException("open", path.toString(), refused, options.advice(refused));
            }
            use = new FileUse(options.appends(), alignment);
            return use;
        } finally {
            if (use == null) {
                system.close(number, false);
            }
        }
    }

    /**
     * {@return what reads and writes have to be multiples of}
     *
     * @throws IllegalStateException unless the file was opened with {@link FileOption#DIRECT}
     */
    public FileAlignment directAlignment() {
        FileAlignment alignment = descriptor.alignment();
        if (alignment == null) {
            throw new IllegalStateException(this + " was opened without FileOption.DIRECT, and needs no alignment");
        }
        return alignment;
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
        if (descriptor.alignment() != null) {
            requireAligned(true, position, destination);
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
        if (descriptor.alignment() != null) {
            requireAligned(true, position, destinations, offset, count);
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
        if (descriptor.alignment() != null) {
            requireAligned(false, position, source);
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
        if (descriptor.alignment() != null) {
            requireAligned(false, position, sources, offset, count);
        }
        return descriptor.appends()
                ? check("writev", ByteTransfer.vector(descriptor, sources, offset, count, false, APPENDV, position))
                : check("pwritev", ByteTransfer.vector(descriptor, sources, offset, count, false, PWRITEV, position));
    }

    private void requireAligned(boolean reading, long position, ByteBuffer[] buffers, int offset, int count) {
        long at = position;
        for (int i = offset; i < offset + count; i++) {
            if (buffers[i].hasRemaining()) {
                requireAligned(reading, at, buffers[i]);
                at += buffers[i].remaining();
            }
        }
    }

    private void requireAligned(boolean reading, long position, ByteBuffer buffer) {
        long address = ByteTransfer.address(descriptor, buffer);
        DirectTransfer.require(descriptor, reading, position, address < 0 ? address : address + buffer.position(),
                buffer.remaining());
    }

    /**
     * {@return the length in bytes, on Linux of a block device as well; 0 for what the system makes up while it is
     * read, as files below {@code /proc}}
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
