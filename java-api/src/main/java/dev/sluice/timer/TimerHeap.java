package dev.sluice.timer;

import java.util.Arrays;

/** A binary heap: exact, O(log n) to add and remove. Timers of the same deadline come in any order. */
public final class TimerHeap implements TimerQueue {

    private Timer[] heap = new Timer[64];
    private int size;

    /** Makes an empty queue. */
    public TimerHeap() {
    }

    @Override
    public void add(Timer timer) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        size++;
        siftUp(size - 1, timer);
    }

    @Override
    public void remove(Timer timer) {
        int index = timer.index;
        if (index < 0 || index >= size || heap[index] != timer) {
            return;
        }
        size--;
        Timer last = heap[size];
        heap[size] = null;
        timer.index = -1;
        if (last != timer) {
            siftDown(index, last);
            if (heap[index] == last) {
                siftUp(index, last);
            }
        }
    }

    @Override
    public Timer poll(long now) {
        if (size == 0 || heap[0].deadline() - now > 0) {
            return null;
        }
        Timer first = heap[0];
        remove(first);
        return first;
    }

    @Override
    public long earliest(long now) {
        return size == 0 ? NEVER : Math.max(heap[0].deadline() - now, 0);
    }

    @Override
    public int size() {
        return size;
    }

    private void siftUp(int from, Timer timer) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            if (!isBefore(timer, heap[parent])) {
                break;
            }
            put(index, heap[parent]);
            index = parent;
        }
        put(index, timer);
    }

    private void siftDown(int from, Timer timer) {
        int index = from;
        while (true) {
            int child = 2 * index + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], timer)) {
                break;
            }
            put(index, heap[child]);
            index = child;
        }
        put(index, timer);
    }

    private void put(int index, Timer timer) {
        heap[index] = timer;
        timer.index = index;
    }

    // By difference, because nanoTime may wrap around.
    private static boolean isBefore(Timer a, Timer b) {
        return a.deadline() - b.deadline() < 0;
    }
}
