package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.failure.StackReserve;
import dev.sluice.system.OperatingSystem;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A part of a file mapped into memory: the papers' Mem_Map. It stays mapped when the file is closed.
 *
 * <p>If the file is truncated while it is mapped, accessing the missing part makes the virtual machine throw an
 * {@code InternalError}, as with any memory-mapped file.
 */
public final class MappedFile implements Closeable {

    // mmap(2) requires the offset to be on a page boundary; no system has larger pages by default.
    private static final long PAGE = 64 * 1024;

    /** Whether the memory can be changed, and whether that changes the file. */
    public enum Mode {
        /** The memory can only be read. */
        READ_ONLY,
        /** Changes go to the file. */
        READ_WRITE,
        /** Changes stay in this mapping. */
        PRIVATE
    }

    private final OperatingSystem system;
    private final MemoryBlock block;
    private final ByteBuffer buffer;
    private final String subject;
    private final long length;

    private MappedFile(OperatingSystem system, MemoryBlock block, ByteBuffer buffer, String subject, long length) {
        this.system = system;
        this.block = block;
        this.buffer = buffer;
        this.subject = subject;
        this.length = length;
    }

    /**
     * Maps a part of a file.
     *
     * @param file     opened for reading, and for {@link Mode#READ_WRITE} also for writing
     * @param mode     whether the memory can be changed, and whether that changes the file
     * @param position the position of the first byte in the file
     * @param size     the length in bytes, at least 1; the part must be inside the file
     * @return the mapping; the caller closes it
     * @throws IllegalArgumentException if the part is empty, negative or not inside the file
     * @throws SystemCallException      if the call fails, such as {@code EACCES} or {@code ENOMEM}
     */
    @CheckReturnValue
    public static MappedFile map(FileHandle file, Mode mode, long position, int size) throws IOException {
        FileHandle.requirePosition(position);
        long fileSize = file.size();
        int lead = (int) (position % PAGE);
        if (size < 1 || size > fileSize - position || size > Integer.MAX_VALUE - lead) {
            throw new IllegalArgumentException("part of " + size + " bytes at " + position + " of " + file
                    + ", which has " + fileSize);
        }
        long length = (long) size + lead;
        OperatingSystem system = file.system;
        // Without this, a thread whose stack is full could map the part, and neither return nor unmap it.
        StackReserve.requireForOpening();
        long address = file.call(fd ->
                system.map(fd, mode != Mode.READ_ONLY, mode != Mode.PRIVATE, position - lead, length));
        String subject = file.descriptor.subject();
        if (address < 0) {
            throw new SystemCallException("mmap", subject, address);
        }
        Runnable release;
        try {
            release = () -> system.unmap(address, length);
        } catch (Throwable e) {
            system.unmap(address, length);
            throw e;
        }
        MemoryBlock block = file.descriptor.binding().memory().wrap(address, (int) length, release);
        try {
            ByteBuffer part = block.buffer().slice(lead, size);
            return new MappedFile(system, block, mode == Mode.READ_ONLY ? part.asReadOnlyBuffer() : part, subject,
                    length);
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    /**
     * {@return a new view of the mapped bytes}
     *
     * <p>It must not be used after the close, nor by a call that is in progress during the close. Under the FFM binding
     * it throws {@link IllegalStateException} after the close; under JNA it keeps the memory mapped for as long as it
     * is reachable.
     */
    public ByteBuffer buffer() {
        return buffer.duplicate();
    }

    /**
     * Waits until all changes are on the disk. On Windows and macOS {@link FileHandle#force()} must be called as well,
     * because this call only writes them to the file system, and the drive may keep them in its cache.
     *
     * @throws IllegalStateException if the mapping is closed
     * @throws SystemCallException   if the disk fails
     */
    public void force() throws IOException {
        if (block.isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        int result;
        try {
            result = system.forceMapping(block.address(), length);
        } finally {
            // Under JNA an unreachable buffer would be unmapped.
            Reference.reachabilityFence(block);
        }
        if (result < 0) {
            throw new SystemCallException("msync", subject, result);
        }
    }

    /**
     * Unmaps the file; see {@link #buffer()}. Closing again does nothing, unless the first attempt has failed.
     *
     * @throws IllegalStateException under the FFM binding, if a channel of the JDK is reading into the buffer or
     *                               writing from it; it stays mapped then, and can be closed when that call has
     *                               returned
     */
    @Override
    public void close() {
        block.close();
    }

    @Override
    public String toString() {
        return "mapping of " + subject;
    }
}
