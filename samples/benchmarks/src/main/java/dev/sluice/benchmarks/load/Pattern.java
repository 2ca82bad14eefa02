package dev.sluice.benchmarks.load;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The bytes that all connections send: a random sequence that repeats after a prime number of bytes. Each
 * connection begins somewhere else, so the bytes at a place depend on the connection and on how many went before: what
 * is lost, repeated, or sent to the wrong connection is detected. Nothing has to be written for a message, since it is
 * there already.
 */
final class Pattern {

    /** Small enough to stay in the processor's cache, and prime, so that no size of message divides it. */
    private static final int PERIOD = 65_537;
    /** Spreads the connections: any number that the period does not divide. */
    private static final int STRIDE = 40_503;
    private static final long SEED = 0x5EED;

    private final ByteBuffer bytes;

    /**
     * Creates a pattern.
     *
     * @param longest the number of bytes that are needed in one piece
     */
    Pattern(int longest) {
        byte[] period = new byte[PERIOD];
        new SplittableRandom(SEED).nextBytes(period);
        bytes = ByteBuffer.allocateDirect(PERIOD + longest);
        while (bytes.hasRemaining()) {
            bytes.put(period, 0, Math.min(PERIOD, bytes.remaining()));
        }
    }

    /** {@return where a connection begins} */
    static int begin(int connection) {
        return (int) ((long) connection * STRIDE % PERIOD);
    }

    /** {@return where a connection is, some bytes after a place} */
    static int after(int place, int count) {
        return (place + count) % PERIOD;
    }

    /** {@return a view of all of it} */
    ByteBuffer view() {
        return bytes.duplicate();
    }
}
