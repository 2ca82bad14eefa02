package dev.sluice.eventloop.spi;

/**
 * One thread inside an event loop, also while its hooks run the loop, with what its waits fill. Used only by that
 * thread. The next thread that enters may use the object, and what it keeps, again.
 */
public abstract class LoopThread {

    private Object batch;

    /** For the event loop. */
    protected LoopThread() {
    }

    /** {@return what the thread's waits fill and its dispatches take from; null if it has not waited yet} */
    public final Object batch() {
        return batch;
    }

    /**
     * Keeps what the thread's waits fill, until the loop has it closed.
     *
     * @param batch belongs to the kind of loop; null for none
     */
    public final void keep(Object batch) {
        this.batch = batch;
    }
}
