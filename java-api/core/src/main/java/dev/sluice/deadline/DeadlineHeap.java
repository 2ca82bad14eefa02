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
    /** That of each element, so that moving them calls nothing: it cannot be interrupted for lack of stack. */
    private long[] deadlines;
    private int size;

    /** Creates an empty heap with the given initial capacity. */
    @SuppressWarnings("unchecked")
    protected DeadlineHeap(int capacity) {
        heap = (E[]) new Object[capacity];
        deadlines = new long[capacity];
    }

    /** {@return an element's deadline, on any scale of nanoseconds; it stays the same in the heap} */
    protected abstract long deadline(E element);

    /** {@return the place that was stored last} */
    protected abstract int place(E element);

    /** Stores an element's place, {@link #NOWHERE} when it leaves. */
    protected abstract void place(E element, int place);

    /** {@return the number of elements that it holds} */
    public final int size() {
        return size;
    }

    /** {@return the element with the earliest deadline, or null} */
    public final E first() {
        return heap[0];
    }

    /** Adds an element that is in no heap. */
    public final void add(E element) {
        if (size == heap.length) {
            E[] moreElements = Arrays.copyOf(heap, size * 2);
            deadlines = Arrays.copyOf(deadlines, size * 2);
            heap = moreElements;
        }
        long deadline = deadline(element);
        // The last that may throw comes first: once the element is there, it knows its place, or where to look for it.
        place(element, size);
        int at = size++;
        while (at > 0 && deadline - deadlines[(at - 1) / 2] < 0) {
            heap[at] = heap[(at - 1) / 2];
            deadlines[at] = deadlines[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = element;
        deadlines[at] = deadline;
        storePlaces(size - 1, at);
    }

    /** Stores the places of what has been moved down on the way from one place up to another. */
    private void storePlaces(int from, int to) {
        for (int at = from; at > to; at = (at - 1) / 2) {
            place(heap[at], at);
        }
        place(heap[to], to);
    }

    /** Removes an element; nothing happens if it is not in this heap. */
    public final void remove(E element) {
        int at = find(element);
        if (at >= 0) {
            place(element, NOWHERE);
            remove(at);
        }
    }

    /** {@return where an element is, {@link #NOWHERE} if it is not here} */
    private int find(E element) {
        int at = place(element);
        if (at < 0) {
            return NOWHERE;
        }
        if (at < size && heap[at] == element) {
            return at;
        }
        // It is in another heap, or there was no stack to store its place when it was moved.
        for (int i = 0; i < size; i++) {
            if (heap[i] == element) {
                return i;
            }
        }
        return NOWHERE;
    }

    private void remove(int removed) {
        E last = heap[--size];
        long deadline = deadlines[size];
        heap[size] = null;
        if (removed == size) {
            return;
        }
        int at = removed;
        boolean sinks = true;
        while (sinks) {
            int child = 2 * at + 1;
            if (child + 1 < size && deadlines[child + 1] - deadlines[child] < 0) {
                child++;
            }
            sinks = child < size && deadlines[child] - deadline < 0;
            if (sinks) {
                heap[at] = heap[child];
                deadlines[at] = deadlines[child];
                at = child;
            }
        }
        int lowest = at;
        while (at > 0 && deadline - deadlines[(at - 1) / 2] < 0) {
            heap[at] = heap[(at - 1) / 2];
            deadlines[at] = deadlines[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = last;
        deadlines[at] = deadline;
        storePlaces(lowest, Math.min(at, removed));
    }

    /**
     * Removes an element that is due.
     *
     * @param now on the scale of the deadlines
     * @return an element whose deadline is not after now, or null
     */
    public final E pollDue(long now) {
        E first = heap[0];
        if (first == null || deadlines[0] - now > 0) {
            return null;
        }
        place(first, NOWHERE);
        remove(0);
        return first;
    }
}
