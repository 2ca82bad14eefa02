package dev.sluice.eventloop;

import dev.sluice.failure.MemoryShortage;

/**
 * State of one thread inside an event loop, also while its hooks run the loop. Used only by that thread. The next
 * thread that enters may use the object, and what it keeps, again.
 */
public final class LoopThread {

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
    LoopThread nextUnused;
    private Object batch;

    LoopThread() {
    }

    /** {@return what the thread's waits fill and its dispatches take from; null if it has not waited yet} */
    public Object batch() {
        return batch;
    }

    /**
     * Keeps what the thread's waits fill, until {@link EventLoop#closeBatch}.
     *
     * @param batch belongs to the kind of loop; null for none
     */
    public void keep(Object batch) {
        this.batch = batch;
    }

    /** A wait has failed. Returns after a pause, so that the next one can be tried, unless this has lasted too long. */
    void outlastShortage(OutOfMemoryError failure) {
        lacksMemory = true;
        shortage.outlast(failure);
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
}
