package dev.sluice.proactor;

import dev.sluice.calls.ForeignMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Buffers some of which are of an arena that is closed while they are used. What lay there then is noted, and others,
 * whose memory it is from then on, write into it at once: a later access by an operation shows.
 */
final class ClosingArena {

    private static final byte OF_OTHERS = 0x33;
    private static final int MAX_BUFFERS = 4;

    /** A buffer, and where its bytes lie in the memory of the arena, or else -1. */
    private record Piece(ByteBuffer buffer, int position, int length, int at) {
    }

    private final AutoCloseable arena;
    private final ByteBuffer memory;
    private final List<Piece> pieces = new ArrayList<>();
    private byte[] atClose;

    /**
     * Makes buffers for an operation.
     *
     * @param content what they hold together
     * @param several whether there may be more than one
     * @param random  decides where the bytes lie
     */
    ClosingArena(byte[] content, boolean several, Random random) throws Exception {
        arena = ForeignMemory.arena("ofShared");
        memory = ByteBuffer.allocateDirect(content.length + 2 * MAX_BUFFERS);
        ByteBuffer view = ForeignMemory.view(memory, arena);
        int count = several ? 1 + random.nextInt(MAX_BUFFERS) : 1;
        int closing = random.nextInt(count);
        int done = 0;
        for (int i = 0; i < count; i++) {
            int length = i == count - 1 ? content.length - done : random.nextInt(content.length - done + 1);
            // A gap after each one.
            int at = done + i;
            memory.put(at, content, done, length);
            pieces.add(i == closing || random.nextBoolean() ? ofArena(view, at, length, random)
                    : ofHeapOrNot(content, done, length, random));
            done += length;
        }
    }

    private static Piece ofArena(ByteBuffer view, int at, int length, Random random) {
        ByteBuffer buffer = random.nextBoolean() ? view.slice(at, length)
                : view.duplicate().limit(at + length).position(at);
        return new Piece(buffer, buffer.position(), length, at);
    }

    private static Piece ofHeapOrNot(byte[] content, int from, int length, Random random) {
        ByteBuffer buffer = random.nextBoolean() ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
        return new Piece(buffer.put(0, content, from, length), 0, length, -1);
    }

    ByteBuffer[] buffers() {
        return pieces.stream().map(Piece::buffer).toArray(ByteBuffer[]::new);
    }

    ByteBuffer buffer() {
        return pieces.get(0).buffer;
    }

    /** Closes the arena as soon as no call uses its memory. Called once, by any thread. */
    void close() throws Exception {
        boolean closed = false;
        while (!closed) {
            try {
                arena.close();
                closed = true;
            } catch (IllegalStateException e) {
                // A copy is going on, for which the JDK acquires it.
                Thread.onSpinWait();
            }
        }
        byte[] bytes = new byte[memory.capacity()];
        memory.get(0, bytes);
        for (int i = 0; i < bytes.length; i++) {
            memory.put(i, OF_OTHERS);
        }
        atClose = bytes;
    }

    /** {@return the first bytes of the buffers, as they were when the arena was closed} */
    byte[] content(int count) {
        ByteBuffer content = ByteBuffer.allocate(count);
        for (Piece piece : pieces) {
            int length = Math.min(piece.length, content.remaining());
            if (piece.at >= 0) {
                content.put(atClose, piece.at, length);
            } else {
                content.put(piece.buffer.duplicate().clear().limit(length));
            }
        }
        return content.array();
    }

    /** {@return whether nothing has been written into what was closed} */
    boolean isUntouched() {
        byte[] bytes = new byte[memory.capacity()];
        memory.get(0, bytes);
        byte[] expected = new byte[bytes.length];
        Arrays.fill(expected, OF_OTHERS);
        return Arrays.equals(expected, bytes);
    }

    @Override
    public String toString() {
        return pieces.toString();
    }
}
