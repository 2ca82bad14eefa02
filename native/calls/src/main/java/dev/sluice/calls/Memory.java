package dev.sluice.calls;

import java.nio.ByteBuffer;

/** Allocates memory for the operating system's calls. Each binding does so by its own Java API. */
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
     * can no longer be reached. Unlike {@link ByteBuffer#allocateDirect}, this does not sleep before it fails.
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
     * @param release unmaps the memory; run once, by {@link MemoryBlock#close()}, or later when the buffer is
     *                unreachable, if the binding has no other way to prevent a late access from crashing the process
     * @return the block; the caller closes it. If this throws for lack of memory, the release has been run.
     */
    MemoryBlock wrap(long address, int size, Runnable release);

    /** Returned for a buffer whose memory can be freed during the call, so that its bytes have to be copied. */
    long COPY = -1;

    /**
     * Returns the address of a direct buffer's index 0 (not of its position) for a call that this thread makes. The
     * caller keeps the buffer reachable for as long as the address is used.
     *
     * @param direct a direct buffer
     * @return its address; {@link #COPY} if another thread could free the memory during the call, as with a shared
     *         arena other than the binding's own
     * @throws IllegalArgumentException if the buffer is not direct
     * @throws IllegalStateException    if the buffer's memory has been freed already, or is confined to another thread
     */
    long address(ByteBuffer direct);

    /**
     * Returns the address of a direct buffer's index 0 for a call that proceeds in the background. Like {@link
     * #address}, but rejects a buffer whose memory is confined to a thread.
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
