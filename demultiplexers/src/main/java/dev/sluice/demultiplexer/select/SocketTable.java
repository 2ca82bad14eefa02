package dev.sluice.demultiplexer.select;

import java.util.Arrays;

/**
 * Maps Windows sockets, which may be any numbers, to places: a hash table with open addressing, which needs no object
 * for either.
 */
final class SocketTable {

    static final int NONE = -1;

    // Distributes sockets, which are small multiples of 4, over the high bits.
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private long[] sockets;
    private int[] places;
    private int shift;
    private int size;

    SocketTable() {
        allocate(64);
    }

    private void allocate(int powerOfTwo) {
        sockets = new long[powerOfTwo];
        places = new int[powerOfTwo];
        Arrays.fill(places, NONE);
        shift = Long.SIZE - Integer.numberOfTrailingZeros(powerOfTwo);
    }

    /** {@return where the socket is, or where it would be} */
    private int index(long socket) {
        int index = home(socket);
        while (places[index] != NONE && sockets[index] != socket) {
            index = next(index);
        }
        return index;
    }

    private int home(long socket) {
        return (int) (socket * SPREAD >>> shift);
    }

    private int next(int index) {
        return index + 1 & places.length - 1;
    }

    /** {@return the socket's place, or {@link #NONE}} */
    int find(long socket) {
        return places[index(socket)];
    }

    /** Sets the place of a socket, replacing its previous place. */
    void put(long socket, int place) {
        int index = index(socket);
        if (places[index] == NONE) {
            size++;
        }
        sockets[index] = socket;
        places[index] = place;
        if (2 * size > places.length) {
            grow();
        }
    }

    private void grow() {
        long[] oldSockets = sockets;
        int[] oldPlaces = places;
        allocate(2 * oldPlaces.length);
        for (int i = 0; i < oldPlaces.length; i++) {
            if (oldPlaces[i] != NONE) {
                int index = index(oldSockets[i]);
                sockets[index] = oldSockets[i];
                places[index] = oldPlaces[i];
            }
        }
    }

    /** Removes a socket if it has the given place. */
    void remove(long socket, int place) {
        int gap = index(socket);
        if (places[gap] != place) {
            return;
        }
        size--;
        places[gap] = NONE;
        // A socket that was displaced past the gap moves into it, or it would no longer be found.
        for (int index = next(gap); places[index] != NONE; index = next(index)) {
            int displaced = index - home(sockets[index]) & places.length - 1;
            int fromGap = index - gap & places.length - 1;
            if (displaced >= fromGap) {
                sockets[gap] = sockets[index];
                places[gap] = places[index];
                places[index] = NONE;
                gap = index;
            }
        }
    }
}
