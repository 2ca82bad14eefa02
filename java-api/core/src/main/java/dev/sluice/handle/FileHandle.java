package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.spi.DirectTransfer;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open file. Reads and writes take a position, so that several threads can share one handle; to append, open it with
 * {@link StandardOpenOption#APPEND}. Both may wait for the disk, because readiness has no meaning for files.
 *
 * <table>
 * <caption>What not all systems have; elsewhere the method throws an {@link UnsupportedOperationException}</caption>
 * <tr><th>method</th><th>systems</th></tr>
 * <tr><td>{@link #allocate}</td><td>Linux, macOS, FreeBSD, Windows</td></tr>
 * <tr><td>{@link #punchHole}</td><td>Linux, macOS, FreeBSD since 14, Windows</td></tr>
 * <tr><td>{@link #prefetch}</td><td>Linux, macOS, FreeBSD</td></tr>
 * <tr><td>{@link #evict}</td><td>Linux, FreeBSD</td></tr>
 * <tr><td>{@link #writeBack}</td><td>Linux</td></tr>
 * <tr><td>{@link #lock}, {@link #tryLock} of a range</td><td>Linux, macOS, Windows; on FreeBSD and OpenBSD only of
 * the whole file</td></tr>
 * <tr><td>{@link #status}, {@link #links}, {@link #allocatedSize}</td><td>Linux, macOS, FreeBSD, OpenBSD</td></tr>
 * </table>
 */
public final class FileHandle extends OpenFile {

    /** Result of {@link #read} at or past the end of the file. */
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

    /** Null unless calls have flags. */
    private final @Nullable FlaggedCalls flagged;

    private FileHandle(Handle handle) {
        super(handle);
        this.flagged = FlaggedCalls.of(descriptor.transfers());
    }

    /**
     * Opens a file.
     *
     * @param path    the file; with {@link FileOption#TMPFILE}, a directory
     * @param options the options, as for {@link #open(Path, Set, FileAttribute[])}
     * @return the open file
     * @throws SystemCallException           such as {@code ENOENT}, {@code EACCES}, {@code EISDIR}
     * @throws UnsupportedOperationException if there is any other option
     * @throws IllegalArgumentException      if two options exclude each other, or one lacks an option that it requires
     * @throws java.nio.file.ProviderMismatchException if the path is in another file system, such as a zip file
     */
    @CheckReturnValue
    public static FileHandle open(Path path, OpenOption... options) throws IOException {
        return open(path, OpenOptions.of(options));
    }

    /**
     * Opens a file, which may be a block device.
     *
     * @param path       the file; with {@link FileOption#TMPFILE}, a directory
     * @param options    {@code READ} (the default), {@code WRITE}, {@code APPEND}, {@code CREATE}, {@code CREATE_NEW},
     *                   {@code TRUNCATE_EXISTING}, {@code SYNC}, {@code DSYNC}, {@code DELETE_ON_CLOSE} of
     *                   {@link StandardOpenOption}; options that create or truncate the file are ignored unless it is
     *                   opened for writing; {@link java.nio.file.LinkOption#NOFOLLOW_LINKS}, which fails with
     *                   {@code ELOOP} (on FreeBSD {@code EMLINK}) for a symbolic link; options of {@link FileOption}.
     *                   On Unix, {@code DELETE_ON_CLOSE} removes the name before this method returns, unless it has
     *                   come to denote another file; a file that gets the name between that check and the removal loses
     *                   it. On Windows the system removes the name when the last handle of the file is closed.
     *                   {@code DELETE_ON_CLOSE} does not follow a symbolic link
     * @param attributes the permissions of a new file, which the umask restricts:
     *                   {@link java.nio.file.attribute.PosixFilePermissions#asFileAttribute}, on Unix
     * @return the open file
     * @throws SystemCallException           such as {@code ENOENT}, {@code EACCES}, {@code EISDIR}
     * @throws UnsupportedOperationException if an option or attribute is not supported, possibly only on this system
     * @throws IllegalArgumentException      if two options exclude each other, or one lacks an option that it requires
     * @throws java.nio.file.ProviderMismatchException if the path is in another file system, such as a zip file
     */
    @CheckReturnValue
    public static FileHandle open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return open(path, OpenOptions.of(options, attributes));
    }

    private static FileHandle open(Path path, OpenOptions options) throws IOException {
        // Rejects the same paths and options on every system.
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

    /** Takes over a file that the system has opened. If this throws, for example for lack of memory, it is closed. */
    static FileHandle adopt(Binding binding, long number, Path path, OpenOptions options) throws SystemCallException {
        Handle handle = Handle.owning(binding, number, false, OpenedFile.use(binding, number, path, options), path);
        try {
            return new FileHandle(handle);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /**
     * {@return the alignment of reads and writes}
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
     * @return the number of bytes read, 0 only if the buffer has no space remaining, or {@link #END_OF_FILE}
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
        FlaggedCalls calls = flagged;
        long result = calls == null ? ByteTransfer.in(descriptor, destination, PREAD, position)
                : ByteTransfer.in(descriptor, destination, calls.read, position);
        return result == 0 ? END_OF_FILE : (int) check("pread", result);
    }

    /**
     * Reads at a position into several buffers.
     *
     * @param destinations the buffers, filled in order
     * @param offset       the index of the first buffer
     * @param count        the number of buffers
     * @param position     in the file, in bytes
     * @return as {@link #read(ByteBuffer, long)}
     * @throws IOException as {@link #read(ByteBuffer, long)}
     */
    @CheckReturnValue
    public long read(ByteBuffer[] destinations, int offset, int count, long position) throws IOException {
        requirePosition(position);
        long space = ByteTransfer.remaining(destinations, offset, count);
        if (space == 0) {
            return 0;
        }
        if (space > Long.MAX_VALUE - position) {
            // The system rejects a range that ends beyond Long.MAX_VALUE. Reading into the first buffer alone avoids
            // that.
            int first = offset;
            while (!destinations[first].hasRemaining()) {
                first++;
            }
            return read(destinations[first], position);
        }
        if (descriptor.alignment() != null) {
            requireAligned(true, position, destinations, offset, count);
        }
        FlaggedCalls calls = flagged;
        long result = ByteTransfer.vector(descriptor, destinations, offset, count, true,
                calls == null ? PREADV : calls.readVector, position);
        return result == 0 ? END_OF_FILE : check("preadv", result);
    }

    /**
     * Writes at a position, or at the end if the file was opened with {@code APPEND}.
     *
     * @param source   the bytes; its position advances by what was written
     * @param position in the file, in bytes
     * @return the number of bytes written, which may be 0; fewer than remaining if the disk is nearly full, or if more
     *         than 64 KiB remain and the buffer is on the heap or in a shared arena
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
        FlaggedCalls calls = flagged;
        if (calls != null) {
            return (int) check("pwrite", ByteTransfer.out(descriptor, source, calls.write, position));
        }
        return (int) (descriptor.appends()
                ? check("write", ByteTransfer.out(descriptor, source, APPEND, position))
                : check("pwrite", ByteTransfer.out(descriptor, source, PWRITE, position)));
    }

    /**
     * Writes all bytes at a position, or at the end if the file was opened with {@code APPEND}, by as many calls as are
     * necessary. If this throws, the position of the buffer has advanced by what was written.
     *
     * @param source   the bytes
     * @param position in the file, in bytes
     * @throws IllegalArgumentException if the position is negative
     * @throws SystemCallException      if a call fails, such as {@code ENOSPC}
     * @throws IOException              if the system accepts no byte and reports no error
     */
    public void writeFully(ByteBuffer source, long position) throws IOException {
        long at = position;
        while (source.hasRemaining()) {
            int written = write(source, at);
            if (written == 0) {
                // Repeated, this might never end.
                throw new IOException("write " + this + ": the system has written none of the last "
                        + source.remaining() + " bytes");
            }
            at += written;
        }
    }

    /**
     * Writes several buffers at a position, or at the end if the file was opened with {@code APPEND}.
     *
     * @param sources  the buffers, written in order
     * @param offset   the index of the first buffer
     * @param count    the number of buffers
     * @param position in the file, in bytes
     * @return the number of bytes written; one call writes at most 1024 buffers, and at most 64 KiB from the heap
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
        FlaggedCalls calls = flagged;
        if (calls != null) {
            return check("pwritev", ByteTransfer.vector(descriptor, sources, offset, count, false, calls.writeVector,
                    position));
        }
        return descriptor.appends()
                ? check("writev", ByteTransfer.vector(descriptor, sources, offset, count, false, APPENDV, position))
                : check("pwritev", ByteTransfer.vector(descriptor, sources, offset, count, false, PWRITEV, position));
    }

    private void requireAligned(boolean reading, long position, ByteBuffer[] buffers, int offset, int count) {
        long at = position;
        int parts = 0;
        for (int i = offset; i < offset + count; i++) {
            if (buffers[i].hasRemaining()) {
                parts++;
                DirectTransfer.requireBuffers(descriptor, reading, parts);
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

    static void requirePosition(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("position: " + position);
        }
    }
}
