package dev.sluice.samples.hybrid;

import java.io.IOException;

/** Computes Fibonacci numbers, by calling the peer for the smaller ones, although a loop would be faster. */
final class Fibonacci {

    private final Peer peer;

    Fibonacci(Peer peer) {
        this.peer = peer;
    }

    /** {@return a number of the sequence, which begins with 0 and 1} */
    long number(int index) throws IOException {
        if (index > Call.MAX_NUMBER) {
            throw new IOException("N must be 0 to " + Call.MAX_NUMBER + ", not " + index);
        }
        return index < 2 ? index : peer.call(index - 1) + peer.call(index - 2);
    }
}
