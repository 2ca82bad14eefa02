package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.layout.OverlappedEntry;
import java.nio.ByteBuffer;

/** A completion port and room for one packet. */
final class CompletionPort {

    /** Bytes that the packet and the number of packets take. */
    static final int ROOM = OverlappedEntry.SIZE + Integer.BYTES;

    /** What a port says of a call that has completed, or what was posted. */
    record Packet(long key, long overlapped, int bytes) {
    }

    private static final int PATIENCE_MILLIS = 30_000;

    private final Windows windows;
    private final long port;
    private final MemoryBlock entry;

    CompletionPort(Windows windows, long port, MemoryBlock entry) {
        this.windows = windows;
        this.port = port;
        this.entry = entry;
    }

    long handle() {
        return port;
    }

    void associate(long file, long key) {
        assertEquals(port, windows.CreateIoCompletionPort(file, port, key, 0));
    }

    /** {@return the next packet, which has to come} */
    Packet next() {
        int result = await(PATIENCE_MILLIS);
        assertTrue(result > 0, () -> "no packet: error " + -result);
        ByteBuffer memory = entry.buffer();
        assertEquals(1, memory.getInt(OverlappedEntry.SIZE));
        return new Packet(memory.getLong(OverlappedEntry.COMPLETION_KEY), memory.getLong(OverlappedEntry.OVERLAPPED),
                memory.getInt(OverlappedEntry.NUMBER_OF_BYTES_TRANSFERRED));
    }

    int await(int millis) {
        return windows.GetQueuedCompletionStatusEx(port, entry.address(), 1, entry.address() + OverlappedEntry.SIZE,
                millis, 0);
    }
}
