package dev.sluice.leaderfollowers;

import org.jspecify.annotations.Nullable;

/**
 * The paper's Thread_Context: the response that a thread waits for. Obtained from {@link
 * BoundLeaderFollowersPool#expectResponse}.
 *
 * @param <R> the type of the responses
 */
public final class ThreadContext<R> {

    private final long requestId;
    /** The thread that waits; null before it does. */
    volatile @Nullable PoolThread thread;
    private volatile boolean done;

    // Complete once it is done.

    @Nullable R response;
    @Nullable Throwable failure;

    ThreadContext(long requestId) {
        this.requestId = requestId;
    }

    /** {@return the number that identifies the response} */
    public long requestId() {
        return requestId;
    }

    /** {@return whether the response has arrived, or will never arrive} */
    public boolean isDone() {
        return done;
    }

    /**
     * Sets the result.
     *
     * @return false if it was done already, because the response arrives too late
     */
    synchronized boolean complete(@Nullable R received, @Nullable Throwable cause) {
        if (done) {
            return false;
        }
        response = received;
        failure = cause;
        done = true;
        return true;
    }

    @Override
    public String toString() {
        return "response to request " + requestId;
    }
}
