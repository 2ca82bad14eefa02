package dev.sluice.stages;

/**
 * Decides in the enqueuing thread whether a queue that has space accepts an event. An admission belongs to one stage,
 * and is called concurrently by all threads that enqueue there: it must neither block nor take a lock. If several
 * events are enqueued together, it is called for each, and if one is rejected, {@link #undo} is called for the
 * others. An exception of {@link #admit} is thrown to the caller of the enqueue, and none of the events is enqueued.
 *
 * @param <E> the type of the events
 */
public interface Admission<E> {

    /**
     * Decides whether an event is accepted.
     *
     * @param event  the event
     * @param length the number of places of the queue that are in use, including the one for this event
     * @return true to accept the event
     */
    boolean admit(E event, int length);

    /**
     * Undoes {@link #admit} for an event that was not enqueued after all: another event was rejected, or a reservation
     * was closed. Exceptions are logged.
     *
     * @param event the event
     */
    default void undo(E event) {
    }

    /**
     * Called when an admitted event has left the stage: it was handled, has failed, or was discarded. Exceptions are
     * logged.
     *
     * @param event the event
     */
    default void onDone(E event) {
    }
}
