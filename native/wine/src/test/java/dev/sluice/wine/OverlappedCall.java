package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Overlapped;
import dev.sluice.calls.layout.Wsabuf;

/** The structures of one overlapped call: an {@code OVERLAPPED}, two {@code WSABUF}, and a {@code DWORD}. */
final class OverlappedCall {

    private static final int BUFFERS = Overlapped.SIZE;
    private static final int WORD = BUFFERS + 2 * Wsabuf.SIZE;

    /** Bytes that they take. */
    static final int ROOM = WORD + Integer.BYTES;

    private final MemoryBlock block;

    OverlappedCall(MemoryBlock block) {
        this.block = block;
    }

    /** Prepares it for a call at a position in a file, or 0. */
    OverlappedCall at(long position) {
        Overlapped.set(block.buffer(), 0, position, 0);
        block.buffer().putInt(WORD, 0);
        return this;
    }

    /** Sets one of the two buffers. */
    OverlappedCall buffer(int index, long address, int length) {
        Wsabuf.set(block.buffer(), BUFFERS + index * Wsabuf.SIZE, address, length);
        return this;
    }

    long overlapped() {
        return block.address();
    }

    long buffers() {
        return block.address() + BUFFERS;
    }

    /** {@return where the flags of a receive are, or a number of bytes} */
    long word() {
        return block.address() + WORD;
    }

    int status() {
        return Overlapped.status(block.buffer(), 0);
    }

    long transferred() {
        return Overlapped.transferred(block.buffer(), 0);
    }

    /** Checks that a packet will come, whether the call goes on or is done. */
    static void assertStarted(int result) {
        assertTrue(result >= 0 || result == -WindowsError.ERROR_IO_PENDING, () -> "error " + -result);
    }
}
