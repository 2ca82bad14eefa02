package dev.sluice.demultiplexers.operation;

import dev.sluice.demultiplexer.Completions;
import dev.sluice.demultiplexer.ProvidedBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** The papers' completion event queue: completions until they are collected, without an object for each. */
final class CompletionQueue {

    private NativeOperation[] operations = new NativeOperation[64];
    private long[] results = new long[64];
    private Object[] resources = new Object[64];
    private boolean[] last = new boolean[64];
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

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

    /** Moves as many as there is room for. */
    void collect(Completions completions) {
        while (size > 0 && !completions.isFull()) {
            NativeOperation operation = operations[head];
            if (resources[head] instanceof PooledBuffer buffer) {
                buffer.broughtBy(completions);
            }
            completions.add(operation, results[head], resources[head], last[head]);
            if (last[head]) {
                operation.collected();
            }
            remove();
        }
    }

    /** Drops all; connections and files that nobody will ever get are closed. */
    void discard() {
        while (size > 0) {
            if (last[head]) {
                operations[head].collected();
            }
            discard(resources[head]);
            remove();
        }
    }

    private static void discard(Object resource) {
        if (resource instanceof ProvidedBuffer) {
            return;
        }
        if (resource instanceof Closeable closeable) {
            try {
                closeable.close();
            } catch (IOException e) {
                throw new UncheckedIOException("closing a handle does not fail", e);
            }
        }
    }

    private void remove() {
        operations[head] = null;
        resources[head] = null;
        head = head + 1 & results.length - 1;
        size--;
    }
}
