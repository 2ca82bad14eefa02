package dev.sluice.demultiplexer.iouring;

import java.util.Arrays;

/** A queue of places, each with events and the generation it was meant for, without an object for each. */
final class PlaceQueue {

    private int[] places = new int[64];
    private int[] generations = new int[64];
    private int[] events = new int[64];
    private int head;
    private int size;

    void add(int place, int generation, int event) {
        if (size == places.length) {
            grow();
        }
        int tail = head + size++ & places.length - 1;
        places[tail] = place;
        generations[tail] = generation;
        events[tail] = event;
    }

    private void grow() {
        places = unrolled(places);
        generations = unrolled(generations);
        events = unrolled(events);
        head = 0;
    }

    private int[] unrolled(int[] ring) {
        int[] larger = Arrays.copyOf(Arrays.copyOfRange(ring, head, ring.length), ring.length * 2);
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        return larger;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** {@return the first one's place} */
    int place() {
        return places[head];
    }

    /** {@return the first one's generation} */
    int generation() {
        return generations[head];
    }

    /** {@return the first one's events} */
    int events() {
        return events[head];
    }

    void remove() {
        head = head + 1 & places.length - 1;
        size--;
    }
}
