package dev.sluice.demultiplexer.iouring;

import java.util.Arrays;

/**
 * A first-in, first-out queue of the numbers of places, each of which is in it at most once. Its memory grows with the
 * places, so that adding a number needs none; a deque loses its elements if there is no memory for another one. Used by
 * the current user of the set.
 */
final class PlaceQueue {

    private static final int MIN_CAPACITY = 16;

    /** By number: 0 if the number is not in the queue; otherwise the next number plus 1, for the last its own. */
    private int[] links = {};
    private int first;
    private int last;
    private int size;

    /**
     * Allocates the memory for places. If there is none, the queue stays as it is.
     *
     * @param places the number of places, whose numbers are less
     */
    void ensureCapacity(int places) {
        if (places > links.length) {
            links = Arrays.copyOf(links, Math.max(MIN_CAPACITY, 2 * places));
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Adds a number, unless it is in the queue. */
    void add(int number) {
        if (links[number] != 0) {
            return;
        }
        links[number] = number + 1;
        if (size == 0) {
            first = number;
        } else {
            links[last] = number + 1;
        }
        last = number;
        size++;
    }

    /** {@return the first number of a queue that is not empty} */
    int first() {
        assert size > 0;
        return first;
    }

    /** {@return the first number of a queue that is not empty, which is removed} */
    int remove() {
        int taken = first();
        first = links[taken] - 1;
        links[taken] = 0;
        size--;
        return taken;
    }
}
