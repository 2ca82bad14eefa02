package dev.sluice.samples.logging;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * Lines gathered to be written at once.
 *
 * <p>Grows as needed and keeps its size when cleared. Not thread-safe.
 */
public final class LogBatch {

    private final IntFunction<ByteBuffer> allocator;
    private ByteBuffer lines;
    private ByteBuffer view;
    private int count;

    /**
     * An empty batch.
     *
     * @param capacity  octets to begin with, at least 1
     * @param allocator makes a buffer of the given capacity, such as {@code ByteBuffer::allocateDirect}
     */
    public LogBatch(int capacity, IntFunction<ByteBuffer> allocator) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        this.allocator = allocator;
        use(allocator.apply(capacity));
    }

    /** Adds a record as one {@link LogLine}. */
    public void append(byte[] array, int offset, int length) {
        int needed = LogLine.length(array, offset, length);
        if (needed > lines.remaining()) {
            grow(needed);
        }
        LogLine.put(array, offset, length, lines);
        count++;
    }

    /** Octets in the batch. */
    public int size() {
        return lines.position();
    }

    /** Octets that it can take without growing. */
    int capacity() {
        return lines.capacity();
    }

    /** Lines in the batch. */
    public int lines() {
        return count;
    }

    /**
     * The lines, from position to limit. The same object until the batch grows; valid until the next call of any
     * method but {@link #size} and {@link #lines}.
     */
    public ByteBuffer contents() {
        return view.limit(lines.position()).position(0);
    }

    /** Empties the batch. */
    public void clear() {
        lines.clear();
        count = 0;
    }

    private void grow(int more) {
        int needed = Math.addExact(lines.position(), more);
        int doubled = (int) Math.min(Integer.MAX_VALUE - 8, 2L * lines.capacity());
        ByteBuffer larger = allocator.apply(Math.max(needed, doubled));
        larger.put(lines.flip());
        use(larger);
    }

    private void use(ByteBuffer buffer) {
        lines = buffer;
        view = buffer.duplicate();
    }
}
