package dev.sluice.deadline;

import java.util.Arrays;

/**
 * A binary heap by deadline: O(log n) to add, and to remove from the middle, because each element knows its place.
 * Elements of the same deadline come in any order. Only one thread at a time may use it.
 *
 * @param <E> the elements, which have a deadline and can store their place; each is in one heap at a time
 */
public abstract class DeadlineHeap<E> {

    /** The place of an element that is in no heap. */
    public static final int NOWHERE = -1;

    private E[] heap;
    private int size;

    /**
     * Makes an empty heap.
     *
     * @param capacity how many it has room for at first
     */
    @SuppressWarnings("unchecked")
    protected DeadlineHeap(int capacity) {
        heap = (E[]) new Object[capacity];
    }

    /** {@return an element's deadline, on the scale of {@link System#nanoTime()}} */
    protected abstract long deadline(E element);

    /** {@return the place that was stored last} */
    protected abstract int place(E element);

    /** Stores an element's place, {@link #NOWHERE} when it leaves. */
    protected abstract void place(E element, int place);

    /** {@return how many elements it holds} */
    public final int size() {
        return size;
    }

    /** {@return the element with the earliest deadline, or null} */
    public final E first() {
        return heap[0];
    }

    /**
     * Adds an element.
     *
     * @param element in no heap
     */
    public final void add(E element) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        rise(size++, element);
    }

    /**
     * Removes an element.
     *
     * @param element nothing happens if it is not in this heap
     */
    public final void remove(E element) {
        int at = place(element);
        if (at < 0 || at >= size || heap[at] != element) {
            return;
        }
        E last = heap[--size];
        heap[size] = null;
        place(element, NOWHERE);
        if (last != element) {
            sink(at, last);
            rise(place(last), last);
        }
    }

    /**
     * Removes an element that is due.
     *
     * @param now on the scale of {@link System#nanoTime()}
     * @return an element whose deadline is not after now, or null
     */
    public final E pollDue(long now) {
        E first = heap[0];
        if (first == null || deadline(first) - now > 0) {
            return null;
        }
        remove(first);
        return first;
    }

    private void rise(int from, E element) {
        int at = from;
        for (; at > 0 && isBefore(element, heap[(at - 1) / 2]); at = (at - 1) / 2) {
            put(at, heap[(at - 1) / 2]);
        }
        put(at, element);
    }

    private void sink(int from, E element) {
        int at = from;
        for (int child = earlierChild(at); child < size && isBefore(heap[child], element); child = earlierChild(at)) {
            put(at, heap[child]);
            at = child;
        }
        put(at, element);
    }

    private int earlierChild(int at) {
        int left = 2 * at + 1;
        return left + 1 < size && isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    }

    private void put(int at, E element) {
        heap[at] = element;
        place(element, at);
    }

    // By difference, because nanoTime may wrap around.
    private boolean isBefore(E one, E other) {
        return deadline(one) - deadline(other) < 0;
    }
}
