package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.ForeignMemory;
import java.nio.ByteBuffer;

/** The kinds of buffer that users may pass. Each has some bytes before its position and after its limit. */
public enum BufferKind {

    HEAP(false, false, false),
    DIRECT(true, false, false),
    HEAP_SLICE(false, true, false),
    DIRECT_SLICE(true, true, false),
    READ_ONLY_HEAP(false, false, true),
    READ_ONLY_DIRECT(true, true, true),
    /** A view of memory of a shared arena; like {@link #DIRECT} if there are no arenas. */
    SHARED_ARENA(true, false, false) {
        @Override
        ByteBuffer allocate(int capacity) {
            try {
                ByteBuffer direct = super.allocate(capacity);
                return ForeignMemory.isThere() ? ForeignMemory.view(direct, ForeignMemory.arena("ofShared")) : direct;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    };

    private static final int MARGIN = 8;
    private static final byte UNTOUCHED = 0x5A;

    private final boolean direct;
    private final boolean sliced;
    private final boolean readOnly;

    BufferKind(boolean direct, boolean sliced, boolean readOnly) {
        this.direct = direct;
        this.sliced = sliced;
        this.readOnly = readOnly;
    }

    public boolean isWritable() {
        return !readOnly;
    }

    public ByteBuffer of(byte... content) {
        ByteBuffer buffer = writable(content.length);
        buffer.put(MARGIN, content);
        return readOnly ? buffer.asReadOnlyBuffer() : buffer;
    }

    public ByteBuffer empty(int size) {
        ByteBuffer buffer = writable(size);
        return readOnly ? buffer.asReadOnlyBuffer() : buffer;
    }

    ByteBuffer allocate(int capacity) {
        return direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
    }

    private ByteBuffer writable(int size) {
        int capacity = size + 2 * MARGIN;
        int before = sliced ? 3 : 0;
        ByteBuffer whole = allocate(capacity + 2 * before);
        ByteBuffer buffer = whole.slice(before, capacity);
        for (int i = 0; i < capacity; i++) {
            buffer.put(i, UNTOUCHED);
        }
        return buffer.position(MARGIN).limit(MARGIN + size);
    }

    /** {@return what was put into a {@link #empty} until now}, having checked that nothing else was touched. */
    public byte[] received(ByteBuffer buffer) {
        ByteBuffer all = buffer.duplicate().clear();
        for (int i = 0; i < all.capacity(); i++) {
            if (i < MARGIN || i >= buffer.position()) {
                assertEquals(UNTOUCHED, all.get(i), "index " + i + " of " + this);
            }
        }
        byte[] content = new byte[buffer.position() - MARGIN];
        all.get(MARGIN, content);
        return content;
    }
}
