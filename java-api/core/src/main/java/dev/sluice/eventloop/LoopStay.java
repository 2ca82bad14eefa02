package dev.sluice.eventloop;

import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.failure.MemoryShortage;
import org.jspecify.annotations.Nullable;

/**
 * The stay of one thread inside an event loop: what its waits bring, how deep it is inside, and whether it is to leave.
 * Used only by that thread. The next thread that enters uses it again, with the batch.
 */
final class LoopStay {

    /** Null if no thread has waited with it yet. */
    @Nullable EventBatch batch;
    private final MemoryShortage shortage = new MemoryShortage();
    /** Whether its last wait has failed for lack of memory. */
    boolean lacksMemory;
    /** How often the thread has entered, and not left. */
    int depth;
    /** Whether its runs are to return. */
    boolean leaving;
    /** Whether its outermost run has failed. */
    boolean failed;
    /** The next one that no thread uses. */
    @Nullable LoopStay nextUnused;

    /** A wait has failed. Returns after a pause, so that the next one can be tried, unless this has lasted too long. */
    void outlastShortage(OutOfMemoryError failure) {
        lacksMemory = true;
        shortage.pauseBeforeRetry(failure);
    }

    /** A wait has not failed. */
    void endShortage() {
        lacksMemory = false;
        shortage.end();
    }

    /** The thread has left: another one may use this. */
    void reset() {
        depth = 0;
        leaving = false;
        failed = false;
        // Or the first wait of the next thread that fails would be one too many.
        endShortage();
    }

    /** Closes the batch. If there is no memory for it, the next call continues. */
    void closeBatch() {
        if (batch != null) {
            batch.close();
            batch = null;
        }
    }
}
