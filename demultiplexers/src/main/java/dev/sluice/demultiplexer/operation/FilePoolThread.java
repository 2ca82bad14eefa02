package dev.sluice.demultiplexer.operation;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a {@link FilePool}, and the calls that it has taken. It makes them one after the other; those that it has
 * not begun can be taken from it again.
 */
final class FilePoolThread extends Thread {

    /** The maximum number of calls that are taken at a time. */
    static final int MAX_TAKEN = 8;

    private final FilePool pool;

    // Written under the lock of the pool
    private final @Nullable PooledCall[] taken = new PooledCall[MAX_TAKEN];
    private int count;

    /** The index of the next call to make, from {@link #count} on if there is none. Incremented by this thread. */
    private final AtomicInteger next = new AtomicInteger();
    /**
     * The call that the thread makes or is about to make, or the last one before it looks for others. Set before the
     * call counts as begun, so that a close that finds the call abandoned does not wait for this thread.
     */
    private volatile @Nullable PooledCall current;
    /** The time since which a result of this thread may be held; 0 if none is. Used by this thread. */
    long heldSince;

    FilePoolThread(FilePool pool, String name) {
        super(name);
        this.pool = pool;
        setDaemon(true);
    }

    @Override
    public void run() {
        do {
            while (pool.take(this)) {
                pool.perform(this);
            }
            pool.signalHeld(this);
        } while (pool.awaitSubmission());
    }

    /** {@return the next call to make; null if there is none} Called by this thread. */
    @Nullable PooledCall poll() {
        int index;
        PooledCall call;
        do {
            index = next.get();
            if (index >= count) {
                current = null;
                return null;
            }
            call = taken[index];
            current = call;
        } while (!next.compareAndSet(index, index + 1));
        taken[index] = null;
        return call;
    }

    // Called under the lock of the pool

    /** Begins to take calls. */
    void clear() {
        next.set(MAX_TAKEN);
        count = 0;
    }

    /** Takes a call, one of at most {@link #MAX_TAKEN}. */
    void add(PooledCall call) {
        taken[count++] = call;
    }

    /** {@return the number of calls taken, which the thread makes from now on} */
    int begin() {
        // A single call is not taken back, and may be abandoned from now on.
        current = count > 0 ? taken[0] : null;
        next.set(0);
        return count;
    }

    /** {@return the calls that the thread has not begun, linked in order and followed by the given ones; or null} */
    @Nullable PooledCall takeBack(@Nullable PooledCall others) {
        PooledCall first = others;
        int begun = next.getAndSet(MAX_TAKEN);
        for (int i = count - 1; i >= begun; i--) {
            PooledCall call = taken[i];
            assert call != null;
            taken[i] = null;
            call.nextPerformed = first;
            first = call;
        }
        return first;
    }

    // The end

    void awaitEnd() {
        boolean interrupted = false;
        while (isAlive() && !isDetached()) {
            try {
                join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return whether no operation waits for what the thread does, so that a close need not wait for it} */
    boolean isDetached() {
        PooledCall call = current;
        return call != null && call.isAbandoned();
    }
}
