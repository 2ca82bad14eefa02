package dev.sluice.calls;

import java.nio.ByteBuffer;

/**
 * Memory that the operating system's calls can see. A binding allocates it, in the way of its own Java API.
 */
public interface Memory {

    /**
     * Allocates zeroed memory, aligned to a cache line (64 bytes). Never waits, so that event loops may allocate.
     *
     * @param size in bytes, 1 to {@link Integer#MAX_VALUE} - 64
     * @return the block; the caller closes it
     * @throws IllegalArgumentException if the size is out of range
     * @throws OutOfMemoryError         if the {@link MemoryBudget} or the system refuses it
     */
    MemoryBlock allocate(int size);

    /**
     * Allocates a direct buffer that need not be closed: its memory is freed some time after it, and all views of it,
     * can no longer be reached. As {@link ByteBuffer#allocateDirect}, which sleeps before it fails, and this does not.
     *
     * @param size in bytes, 1 to {@link Integer#MAX_VALUE} - 64
     * @return the buffer, zeroed, in big-endian byte order
     * @throws IllegalArgumentException if the size is out of range
     * @throws OutOfMemoryError         if the {@link MemoryBudget} or the system refuses it
     */
    ByteBuffer allocateBuffer(int size);

    /**
     * Wraps memory that was mapped by other means, such as {@code mmap}.
     *
     * @param address the address of its first byte
     * @param size    in bytes, 1 to {@link Integer#MAX_VALUE}
     * @param release gives it back; run once, by {@link MemoryBlock#close()} or later when the buffer can no longer be
     *                reached, where a binding has no other way to keep a late access from crashing the process
     * @return the block; the caller closes it. If this throws, for lack of memory, it has run the release.
     */
    MemoryBlock wrap(long address, int size, Runnable release);

    /** The answer for a buffer whose memory can be freed during the call, so that its bytes have to be copied. */
    long COPY = -1;

    /**
     * The address of a direct buffer's index 0 (not of its position) for a call that this thread makes. The caller
     * keeps the buffer reachable for as long as the address is used.
     *
     * @param direct a direct buffer
     * @return its address; {@link #COPY} if another thread could free the memory during the call, as that of a shared
     *         arena which is not the binding's own
     * @throws IllegalArgumentException if the buffer is not direct
     * @throws IllegalStateException    if the buffer's memory has been freed already, or is confined to another thread
     */
    long address(ByteBuffer direct);

    /**
     * The address of a direct buffer's index 0 for a call that proceeds in the background. As {@link #address}, but a
     * buffer whose memory is confined to any thread is refused.
     *
     * @param direct a direct buffer
     * @return its address; {@link #COPY} if any thread could free the memory before it ends
     * @throws IllegalArgumentException if the buffer is not direct
     * @throws IllegalStateException    if the buffer's memory has been freed already, or is confined to a thread
     */
    default long sharedAddress(ByteBuffer direct) {
        return address(direct);
    }
}
