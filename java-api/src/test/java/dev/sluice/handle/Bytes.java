package dev.sluice.handle;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Contents for buffers. */
public final class Bytes {

    private Bytes() {
    }

    /** Bytes without a period, so that a piece at the wrong place shows. */
    public static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
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

    /** {@return what lies before the buffer's position} */
    public static byte[] before(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    public static String text(ByteBuffer buffer) {
        return new String(before(buffer), StandardCharsets.UTF_8);
    }
}
