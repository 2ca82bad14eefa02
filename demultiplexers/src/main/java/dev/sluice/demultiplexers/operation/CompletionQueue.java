package dev.sluice.demultiplexers.operation;

import dev.sluice.demultiplexer.Completions;
import dev.sluice.demultiplexer.ProvidedBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The papers' completion event queue: completions until they are collected, without an object for each. Inside. */
abstract class CompletionQueue {

    /** {@return whether there is nothing to be collected} */
    abstract boolean isEmpty();

    abstract void add(NativeOperation operation, long result, Object resource, boolean isLast);

    /** Moves as many as there is room for. */
    abstract void collect(Completions completions);

    /** Drops all; connections and files that nobody will ever get are closed. */
    abstract void discard();

    static void handOver(Completions completions, NativeOperation operation, long result, Object resource,
            boolean isLast) {
        if (resource instanceof PooledBuffer buffer) {
            buffer.broughtBy(completions);
        }
        completions.add(operation, result, resource, isLast);
        if (isLast) {
            operation.collected();
        }
    }

    static void drop(NativeOperation operation, Object resource, boolean isLast) {
        if (isLast) {
            operation.collected();
        }
        if (resource instanceof Closeable closeable && !(resource instanceof ProvidedBuffer)) {
            try {
                closeable.close();
            } catch (IOException e) {
                throw new UncheckedIOException("closing a handle does not fail", e);
            }
        }
    }
}
