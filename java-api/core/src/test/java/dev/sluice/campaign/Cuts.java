package dev.sluice.campaign;

import java.util.Random;
import java.util.stream.IntStream;

/** Chooses where a stream is cut into chunks, on which no result may depend. */
public final class Cuts {

    private static final int MAX = 8;

    private Cuts() {
    }

    /**
     * Chooses cuts, sometimes one before every octet. Two cuts at one position result in an empty chunk.
     *
     * @param octets to be cut
     * @param random the random generator
     * @return ascending positions, from 0 to the length
     */
    public static int[] of(byte[] octets, Random random) {
        int count = random.nextInt(MAX);
        return count == 0 ? IntStream.range(0, octets.length).toArray()
                : random.ints(count, 0, octets.length + 1).sorted().toArray();
    }
}
