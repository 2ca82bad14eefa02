package dev.sluice.leaderfollowers;

import dev.sluice.trace.DispatchTrace;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A source of events that a leader waits on: a handle set, or an alternative to one (Leader/Followers paper, section
 * 10.5). Belongs to one pool. All methods may be called from any thread.
 */
public interface EventSource extends Closeable {

    /** {@return whether several threads may wait concurrently; otherwise one thread waits at a time, the leader} */
    boolean isConcurrent();

    /**
     * {@return a new waiter} All leaders of an iterative source share one waiter; each thread of a concurrent source
     * has its own.
     */
    Waiter newWaiter();

    /**
     * Records the calls of its hooks from now on in a trace. Called by the pool that the source belongs to, before any
     * thread waits, if the pool has a trace. The default implementation does nothing.
     *
     * @param trace the pool's trace
     */
    default void recordTo(DispatchTrace trace) {
    }

    /**
     * Ends a wait: one that is in progress, or else the next one.
     *
     * @throws java.io.UncheckedIOException if the system refuses; no wait has ended then, and the call may be repeated
     */
    void wakeUp();

    /**
     * Closes this source; waits in progress return no event or throw {@link dev.sluice.handle.HandleClosedException}.
     * Called by the pool when it is closed, after all threads have stopped waiting, except for those that the system
     * refused to wake. Closing again does nothing.
     */
    @Override
    void close();

    /** Waits on a source. Used by one thread at a time. */
    interface Waiter extends AutoCloseable {

        /**
         * Waits for an event, a wake-up, or the timeout.
         *
         * @param timeoutNanos in nanoseconds; 0 for a check without waiting, negative for no timeout
         * @return the event; null if there is none, possibly spuriously
         * @throws IOException if the system call fails
         */
        @Nullable PendingEvent await(long timeoutNanos) throws IOException;

        /** Releases its resources. The default implementation does nothing. */
        @Override
        default void close() {
        }
    }
}
