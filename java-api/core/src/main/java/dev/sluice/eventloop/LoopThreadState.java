package dev.sluice.eventloop;

import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.failure.OutOfMemoryRetry;
import org.jspecify.annotations.Nullable;

/**
 * The state of one thread inside an event loop: the batch of its waits, its depth, and whether it must leave. Accessed
 * only by that thread. The next thread that enters reuses it, with the batch.
 */
final class LoopThreadState {

    /** The batch of the waits; null before the first wait. */
    @Nullable EventBatch batch;
    private final OutOfMemoryRetry retry = new OutOfMemoryRetry();
    /** Whether the last wait has failed for lack of memory. */
    boolean lacksMemory;
    /** Number of entries of the thread that it has not left. */
    int depth;
    /** Whether the runs of the thread must return. */
    boolean leaving;
    /** Whether the outermost run of the thread has failed. */
    boolean failed;
    /** The next element of the list of unused states. */
    @Nullable LoopThreadState nextUnused;

    /**
     * Called when a wait has failed. Pauses before the next attempt, or rethrows the failure if waits have failed for
     * too long.
     */
    void pauseBeforeRetry(OutOfMemoryError failure) {
        lacksMemory = true;
        retry.pauseBeforeRetry(failure);
    }

    /** Called when a wait has succeeded. */
    void resetRetry() {
        lacksMemory = false;
        retry.end();
    }

    /** Called when the thread has left, so that another one may use this object. */
    void reset() {
        depth = 0;
        leaving = false;
        failed = false;
        // Otherwise the first failed wait of the next thread would count as a continuation of these failures.
        resetRetry();
    }

    /** Closes the batch. If there is no memory for that, the next call tries again. */
    void closeBatch() {
        if (batch != null) {
            batch.close();
            batch = null;
        }
    }
}
