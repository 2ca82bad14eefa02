package dev.sluice.eventloop;

import dev.sluice.failure.MemoryShortage;

/**
 * State of one thread inside an event loop, also while its hooks run the loop. Used only by that thread. The next
 * thread that enters may use the object, and what it keeps, again.
 */
public final class LoopThread {

    final MemoryShortage shortage = new MemoryShortage();
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

    /** The thread has left: another one may use this. */
    void reset() {
        depth = 0;
        leaving = false;
        failed = false;
        // Or the first wait of the next thread that fails would be one too many.
        shortage.end();
    }
}
