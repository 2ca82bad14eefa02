package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Contents for buffers. */
public final class Bytes {

    private Bytes() {
    }

    /** Bytes without a period, so that a misplaced piece is detected; the same ones for the same length. */
    public static byte[] random(int length) {
        return random(length, length);
    }

    /** Bytes without a period, different for each seed. */
    public static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        // Java's ordinary Random takes ten times as long.
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** As {@code assertArrayEquals}, but fast enough for megabytes. */
    public static void assertBytes(byte[] expected, byte[] actual) {
        if (!Arrays.equals(expected, actual)) {
            assertArrayEquals(expected, actual);
        }
    }

    public static byte[] of(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static ByteBuffer heap(String text) {
        return ByteBuffer.wrap(of(text));
    }

    public static ByteBuffer direct(byte[] content) {
        return ByteBuffer.allocateDirect(content.length).put(content).flip();
    }

    /** {@return the bytes before the buffer's position} */
    public static byte[] before(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    public static String text(ByteBuffer buffer) {
        return new String(before(buffer), StandardCharsets.UTF_8);
    }
}
