package dev.sluice.demultiplexers.emulated;

import java.util.Arrays;

/** The timeouts under way: a binary heap of the operations themselves. For the loop thread. */
final class Deadlines {

    private EmulatedOperation[] heap = new EmulatedOperation[16];
    private int size;

    void add(EmulatedOperation operation) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        rise(size++, operation);
    }

    void remove(EmulatedOperation operation) {
        EmulatedOperation last = heap[--size];
        heap[size] = null;
        if (last != operation) {
            sink(operation.index, last);
            rise(last.index, last);
        }
    }

    /**
     * Takes out one that is due.
     *
     * @return it, or null
     */
    EmulatedOperation pollDue() {
        if (size == 0 || left(heap[0]) > 0) {
            return null;
        }
        EmulatedOperation first = heap[0];
        remove(first);
        return first;
    }

    /**
     * Cuts a timeout down to when the next one is due.
     *
     * @return in nanoseconds, negative for ever
     */
    long bound(long timeoutNanos) {
        if (size == 0 || timeoutNanos == 0) {
            return timeoutNanos;
        }
        long left = Math.max(0, left(heap[0]));
        return timeoutNanos < 0 ? left : Math.min(left, timeoutNanos);
    }

    private static long left(EmulatedOperation operation) {
        return operation.nextPosition() - System.nanoTime();
    }

    private void rise(int from, EmulatedOperation operation) {
        int at = from;
        for (; at > 0 && isBefore(operation, heap[(at - 1) / 2]); at = (at - 1) / 2) {
            put(at, heap[(at - 1) / 2]);
        }
        put(at, operation);
    }

    private void sink(int from, EmulatedOperation operation) {
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

    private void put(int at, EmulatedOperation operation) {
        heap[at] = operation;
        operation.index = at;
    }

    // By difference, because nanoTime may wrap around.
    private static boolean isBefore(EmulatedOperation a, EmulatedOperation b) {
        return a.nextPosition() - b.nextPosition() < 0;
    }
}
