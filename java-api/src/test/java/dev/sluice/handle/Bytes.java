package dev.sluice.handle;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Contents for buffers. */
final class Bytes {

    private Bytes() {
    }

    /** Bytes without a period, so that a piece at the wrong place shows. */
    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    static byte[] of(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static ByteBuffer heap(String text) {
        return ByteBuffer.wrap(of(text));
    }

    static ByteBuffer direct(byte[] content) {
        return ByteBuffer.allocateDirect(content.length).put(content).flip();
    }

    /** {@return what lies before the buffer's position} */
    static byte[] before(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    static String text(ByteBuffer buffer) {
        return new String(before(buffer), StandardCharsets.UTF_8);
    }
}
