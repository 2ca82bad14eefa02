package dev.sluice.demultiplexers.operation;

import dev.sluice.demultiplexer.Completions;
import java.util.Arrays;

/** The queue that one thread collects from: first in, first out. */
final class LoopCompletionQueue extends CompletionQueue {

    private NativeOperation[] operations = new NativeOperation[64];
    private long[] results = new long[64];
    private Object[] resources = new Object[64];
    private boolean[] last = new boolean[64];
    private int head;
    private int size;

    @Override
    boolean isEmpty() {
        return size == 0;
    }

    @Override
    void add(NativeOperation operation, long result, Object resource, boolean isLast) {
        if (size == results.length) {
            grow();
        }
        int at = head + size++ & results.length - 1;
        operations[at] = operation;
        results[at] = result;
        resources[at] = resource;
        last[at] = isLast;
    }

    private void grow() {
        int old = results.length;
        operations = Arrays.copyOf(operations, old * 2);
        results = Arrays.copyOf(results, old * 2);
        resources = Arrays.copyOf(resources, old * 2);
        last = Arrays.copyOf(last, old * 2);
        // What had wrapped around goes behind the rest, into the half that is new.
        System.arraycopy(operations, 0, operations, old, head);
        System.arraycopy(results, 0, results, old, head);
        System.arraycopy(resources, 0, resources, old, head);
        System.arraycopy(last, 0, last, old, head);
    }

    @Override
    void collect(Completions completions) {
        while (size > 0 && !completions.isFull()) {
            handOver(completions, operations[head], results[head], resources[head], last[head]);
            remove();
        }
    }

    @Override
    void discard() {
        while (size > 0) {
            drop(operations[head], resources[head], last[head]);
            remove();
        }
    }

    private void remove() {
        operations[head] = null;
        resources[head] = null;
        head = head + 1 & results.length - 1;
        size--;
    }
}
