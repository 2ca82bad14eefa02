package dev.sluice.demultiplexers.operation;

import java.util.Arrays;

/** The timeouts under way: a binary heap of the operations themselves. For the inside. */
public final class Deadlines {

    private NativeOperation[] heap = new NativeOperation[16];
    private int size;

    /** Makes one without timeouts. */
    public Deadlines() {
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** {@return when the next one is due, on the scale of {@link System#nanoTime()}, if there is one} */
    long next() {
        return heap[0].nextPosition();
    }

    /**
     * Takes one in.
     *
     * @param operation a timeout, begun
     */
    public void add(NativeOperation operation) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        rise(size++, operation);
    }

    /**
     * Takes one out.
     *
     * @param operation that is in here
     */
    public void remove(NativeOperation operation) {
        NativeOperation last = heap[--size];
        heap[size] = null;
        if (last != operation) {
            sink(operation.deadlineIndex, last);
            rise(last.deadlineIndex, last);
        }
    }

    /**
     * Takes out one that is due.
     *
     * @return it, or null
     */
    public NativeOperation pollDue() {
        if (size == 0 || left(heap[0]) > 0) {
            return null;
        }
        NativeOperation first = heap[0];
        remove(first);
        return first;
    }

    /**
     * Cuts a timeout down to when the next one is due.
     *
     * @param timeoutNanos in nanoseconds, negative for ever
     * @return in nanoseconds, negative for ever
     */
    public long bound(long timeoutNanos) {
        if (size == 0 || timeoutNanos == 0) {
            return timeoutNanos;
        }
        long left = Math.max(0, left(heap[0]));
        return timeoutNanos < 0 ? left : Math.min(left, timeoutNanos);
    }

    private static long left(NativeOperation operation) {
        return operation.nextPosition() - System.nanoTime();
    }

    private void rise(int from, NativeOperation operation) {
        int at = from;
        for (; at > 0 && isBefore(operation, heap[(at - 1) / 2]); at = (at - 1) / 2) {
            put(at, heap[(at - 1) / 2]);
        }
        put(at, operation);
    }

    private void sink(int from, NativeOperation operation) {
        int at = from;
        int child = earlierChild(at);
        while (child < size && isBefore(heap[child], operation)) {
            put(at, heap[child]);
            at = child;
            child = earlierChild(at);
        }
        put(at, operation);
    }

    private int earlierChild(int at) {
        int left = 2 * at + 1;
        return left + 1 < size && isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    }

    private void put(int at, NativeOperation operation) {
        heap[at] = operation;
        operation.deadlineIndex = at;
    }

    // By difference, because nanoTime may wrap around.
    private static boolean isBefore(NativeOperation a, NativeOperation b) {
        return a.nextPosition() - b.nextPosition() < 0;
    }
}
