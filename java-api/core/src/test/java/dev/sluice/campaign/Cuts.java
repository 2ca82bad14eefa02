package dev.sluice.campaign;

import java.util.Random;
import java.util.stream.IntStream;

/** Where a stream is cut into chunks: nothing may depend on it. */
public final class Cuts {

    private static final int MAX = 8;

    private Cuts() {
    }

    /**
     * Chooses cuts, once in a while before every octet. Two at one place make an empty chunk.
     *
     * @param octets to be cut
     * @param random decides
     * @return ascending places, from 0 to the length
     */
    public static int[] of(byte[] octets, Random random) {
        int count = random.nextInt(MAX);
        return count == 0 ? IntStream.range(0, octets.length).toArray()
                : random.ints(count, 0, octets.length + 1).sorted().toArray();
    }
}
