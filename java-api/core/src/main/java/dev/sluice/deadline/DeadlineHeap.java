package dev.sluice.deadline;

import java.util.Arrays;

/**
 * A binary heap ordered by deadline. Adding and removing any element takes O(log n), because each element stores its
 * position. Elements with the same deadline are in no particular order. Not thread-safe.
 *
 * @param <E> the type of the elements, which have a deadline and store their position; each is in one heap at a time
 */
public abstract class DeadlineHeap<E> {

    /** The position of an element that is not in a heap. */
    public static final int NO_POSITION = -1;

    private E[] heap;
    /**
     * The deadlines of the elements. With these, moving elements calls no method, which could fail for lack of stack.
     */
    private long[] deadlines;
    private int size;

    /** Creates an empty heap with the given initial capacity. */
    @SuppressWarnings("unchecked")
    protected DeadlineHeap(int capacity) {
        heap = (E[]) new Object[capacity];
        deadlines = new long[capacity];
    }

    /**
     * {@return an element's deadline in nanoseconds, relative to any origin; must not change while it is in the heap}
     */
    protected abstract long deadline(E element);

    /** {@return the position that was stored last} */
    protected abstract int position(E element);

    /** Stores an element's position, {@link #NO_POSITION} when it is removed. */
    protected abstract void position(E element, int position);

    /** {@return the number of elements} */
    public final int size() {
        return size;
    }

    /** {@return the element with the earliest deadline; null if the heap is empty} */
    public final E first() {
        return heap[0];
    }

    /** Adds an element, which must not be in a heap. */
    public final void add(E element) {
        if (size == heap.length) {
            E[] moreElements = Arrays.copyOf(heap, size * 2);
            deadlines = Arrays.copyOf(deadlines, size * 2);
            heap = moreElements;
        }
        long deadline = deadline(element);
        // This call may throw, so it precedes all changes of the heap.
        position(element, size);
        int at = size++;
        while (at > 0 && deadline - deadlines[(at - 1) / 2] < 0) {
            heap[at] = heap[(at - 1) / 2];
            deadlines[at] = deadlines[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = element;
        deadlines[at] = deadline;
        storePositions(size - 1, at);
    }

    /** Stores the positions of the elements that have been moved down on the path from one position up to another. */
    private void storePositions(int from, int to) {
        for (int at = from; at > to; at = (at - 1) / 2) {
            position(heap[at], at);
        }
        position(heap[to], to);
    }

    /** Removes an element; does nothing if it is not in this heap. */
    public final void remove(E element) {
        int at = find(element);
        if (at >= 0) {
            position(element, NO_POSITION);
            remove(at);
        }
    }

    /** {@return the position of an element, {@link #NO_POSITION} if it is not in this heap} */
    private int find(E element) {
        int at = position(element);
        if (at < 0) {
            return NO_POSITION;
        }
        if (at < size && heap[at] == element) {
            return at;
        }
        // It is in another heap, or its new position could not be stored for lack of stack.
        for (int i = 0; i < size; i++) {
            if (heap[i] == element) {
                return i;
            }
        }
        return NO_POSITION;
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
        storePositions(lowest, Math.min(at, removed));
    }

    /**
     * Removes an element that is due.
     *
     * @param now the current time, relative to the origin of the deadlines
     * @return an element whose deadline is not after now; null if there is none
     */
    public final E pollDue(long now) {
        E first = heap[0];
        if (first == null || deadlines[0] - now > 0) {
            return null;
        }
        position(first, NO_POSITION);
        remove(0);
        return first;
    }
}
