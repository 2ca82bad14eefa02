package dev.sluice.benchmarks.datagrams;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Records the datagrams of a burst that have arrived. */
final class Arrivals {

    private final int size;
    private final boolean[] seen = new boolean[Burst.COUNT];
    private int count;
    private boolean over;

    Arrivals(int size) {
        this.size = size;
    }

    /** Forgets all datagrams that have arrived. */
    void begin() {
        Arrays.fill(seen, false);
        count = 0;
        over = false;
    }

    /**
     * Takes a datagram.
     *
     * @param datagram from position to limit; in the byte order of this machine
     * @throws IOException if it is not one that was sent, or has arrived before
     */
    void take(ByteBuffer datagram) throws IOException {
        int at = datagram.position();
        if (datagram.remaining() != size) {
            throw new IOException("a datagram of " + datagram.remaining() + " bytes instead of " + size);
        }
        long number = datagram.getLong(at);
        if (number < 0 || number > Burst.END || datagram.getLong(at + size - Long.BYTES) != Burst.mixed(number)) {
            throw new IOException("a datagram that was not sent, with the number " + number);
        }
        if (number == Burst.END) {
            over = true;
        } else if (seen[(int) number]) {
            throw new IOException("datagram " + number + " has arrived twice");
        } else {
            seen[(int) number] = true;
            count++;
        }
    }

    /** {@return the number of datagrams that have arrived} */
    int count() {
        return count;
    }

    /** {@return whether no more will arrive} */
    boolean isOver() {
        return over;
    }
}
