package dev.sluice.leaderfollowers;

import dev.sluice.trace.DispatchTrace;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Something that a leader waits on: a handle set, or an alternative to one (Leader/Followers paper, section 10.5).
 * Belongs to one pool. All methods may be called from any thread.
 */
public interface EventSource extends Closeable {

    /** {@return whether many threads wait at once; otherwise one at a time does, which requires a leader} */
    boolean isConcurrent();

    /**
     * {@return a new waiter: one serves all leaders of an iterative source, each thread of a concurrent one has its
     * own}
     */
    Waiter newWaiter();

    /**
     * Records the calls of its hooks from now on. Called by the pool that the source belongs to, before any thread
     * waits, if the pool has a trace. Does nothing unless overridden.
     *
     * @param trace the pool's trace
     */
    default void recordTo(DispatchTrace trace) {
    }

    /**
     * Ends a wait: one that is in progress, or else the next one.
     *
     * @throws java.io.UncheckedIOException if the system refuses, so that no wait is ended; the next call counts again
     */
    void wakeUp();

    /**
     * Called by the pool when it is closed and no thread waits any more, or only one that the system refused to wake.
     * Ends all waits, with nothing or with {@link dev.sluice.handle.HandleClosedException}. Closing again does nothing.
     */
    @Override
    void close();

    /** Waits on a source. Only one thread at a time uses it. */
    interface Waiter extends AutoCloseable {

        /**
         * Waits for an event, the end of the time, or a wake-up.
         *
         * @param timeoutNanos in nanoseconds; 0 only looks, negative means forever
         * @return the event; null if there is none, which may happen for no reason
         * @throws IOException if the system call fails
         */
        @Nullable PendingEvent await(long timeoutNanos) throws IOException;

        /** Closes what it waits with. Does nothing unless overridden. */
        @Override
        default void close() {
        }
    }
}
