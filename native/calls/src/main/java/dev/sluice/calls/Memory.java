package dev.sluice.calls;

import java.nio.ByteBuffer;

/** Allocates memory for the operating system's calls. Each binding uses its own Java API for that. */
public interface Memory {

    /**
     * Allocates zeroed memory, aligned to a cache line (64 bytes). Does not block, so that event loops may allocate.
     *
     * @param size the size in bytes, 1 to {@link Integer#MAX_VALUE} - 64
     * @return the block; the caller closes it
     * @throws IllegalArgumentException if the size is out of range
     * @throws OutOfMemoryError         if the {@link MemoryBudget} or the system refuses it
     */
    MemoryBlock allocate(int size);

    /**
     * Allocates a direct buffer that need not be closed: its memory is freed after the buffer and all its views have
     * become unreachable. Unlike {@link ByteBuffer#allocateDirect}, this does not sleep before it fails.
     *
     * @param size the size in bytes, 1 to {@link Integer#MAX_VALUE} - 64
     * @return the buffer, zeroed, in big-endian byte order
     * @throws IllegalArgumentException if the size is out of range
     * @throws OutOfMemoryError         if the {@link MemoryBudget} or the system refuses it
     */
    ByteBuffer allocateBuffer(int size);

    /**
     * Wraps memory that was mapped by other means, such as {@code mmap}.
     *
     * @param address the address of the first byte
     * @param size    the size in bytes, 1 to {@link Integer#MAX_VALUE}
     * @param release unmaps the memory; run once, by {@link MemoryBlock#close()}, or later when the buffer is
     *                unreachable, if the binding has no other way to prevent a late access from crashing the process
     * @return the block; the caller closes it; if this throws for lack of memory, the release has been run
     */
    MemoryBlock wrap(long address, int size, Runnable release);

    /** Returned for a buffer whose memory may be freed during the call, so that its bytes have to be copied. */
    long COPY = -1;

    /**
     * Returns the address of a direct buffer's index 0 (not of its position) for a call that this thread makes. The
     * caller keeps the buffer reachable for as long as the address is used.
     *
     * @param direct a direct buffer
     * @return the address; {@link #COPY} if another thread could free the memory during the call, as that of a shared
     *         arena of the program
     * @throws IllegalArgumentException if the buffer is not direct
     * @throws IllegalStateException    if the buffer's memory has been freed already, or is confined to another thread
     */
    long address(ByteBuffer direct);

    /**
     * Returns the address of a direct buffer's index 0 for a call that is executed in the background. Like
     * {@link #address}, but refuses a buffer whose memory is confined to a thread.
     *
     * @param direct a direct buffer
     * @return the address; {@link #COPY} if any thread could free the memory before the call ends
     * @throws IllegalArgumentException if the buffer is not direct
     * @throws IllegalStateException    if the buffer's memory has been freed already, or is confined to a thread
     */
    default long sharedAddress(ByteBuffer direct) {
        return address(direct);
    }

    /**
     * {@return whether the memory of a direct buffer is not freed as long as the buffer is reachable: neither the
     * program nor the owner of a {@link MemoryBlock} can do that}
     *
     * @param direct a direct buffer
     */
    boolean lasts(ByteBuffer direct);
}
