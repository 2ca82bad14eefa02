package dev.sluice.benchmarks.seda.hop;

/** Stages, each of which passes what it has handled to the next. The last one tells the {@link Arrivals}. */
interface Chain extends AutoCloseable {

    /**
     * Passes an event to the first stage.
     *
     * @param event is somewhere in the chain from now on, or has arrived
     */
    void enqueue(HopEvent event);

    /** Ends its threads. */
    @Override
    void close();
}
