package dev.sluice.samples;

import java.util.Random;

/** Bytes that nothing but themselves can be mistaken for. */
public final class RandomBytes {

    private RandomBytes() {
    }

    public static byte[] of(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
