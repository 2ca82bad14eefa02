package dev.sluice.stages;

/**
 * Decides in the enqueuer's thread whether an event gets into a queue that has space for it. An admission belongs to
 * one stage, and is called by all threads that enqueue there, concurrently: it must neither block nor take a lock. If
 * several events are enqueued together, it is called for each, and if one is refused, {@link #giveBack} is called for
 * the others. An exception of {@link #admit} is thrown to the enqueuer, and then none of the events is in the queue.
 *
 * @param <E> the events
 */
public interface Admission<E> {

    /**
     * Decides about an event.
     *
     * @param event  the event
     * @param length how many places of the queue are in use, with the one for this event
     * @return whether it gets in
     */
    boolean admit(E event, int length);

    /**
     * An event that was admitted has not come in after all: something else was refused, or a preparation was closed.
     * What it throws is logged.
     *
     * @param event the event
     */
    default void giveBack(E event) {
    }

    /**
     * An event that was admitted has left the stage: it was handled, has failed, or was discarded. What it throws is
     * logged.
     *
     * @param event the event
     */
    default void leave(E event) {
    }
}
