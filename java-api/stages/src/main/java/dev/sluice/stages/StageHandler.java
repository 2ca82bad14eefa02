package dev.sluice.stages;

import dev.sluice.hook.HookFailure;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The paper's event handler: the logic of a stage. It controls neither its queue nor its threads, and does not depend
 * on how the stage runs. Unless it is {@linkplain #isExclusive() exclusive}, its hooks may be called by several threads
 * concurrently.
 *
 * @param <E> the type of the events
 */
@FunctionalInterface
public interface StageHandler<E> {

    /**
     * Creates a handler of functions for single events.
     *
     * @param handler   called for each event of a batch
     * @param discarded called for each event that will not be handled
     * @param <E> the type of the events
     * @return the handler
     */
    static <E> StageHandler<E> each(Consumer<? super E> handler, Consumer<? super E> discarded) {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(discarded, "discarded");
        return new StageHandler<>() {
            @Override
            public void handleEvents(EventBatch<E> batch) {
                while (batch.remaining() > 0) {
                    handler.accept(batch.next());
                }
            }

            @Override
            public void handleDiscarded(E event) {
                discarded.accept(event);
            }

            @Override
            public String toString() {
                return "stage handler of " + handler;
            }
        };
    }

    /**
     * Handles events, and enqueues others at other stages. On an event loop it must not block. An exception or error
     * affects only the event taken last, see {@link EventBatch}.
     *
     * @param batch at least one event; only valid until this returns
     */
    void handleEvents(EventBatch<E> batch) throws Exception;

    /**
     * Called when the graph is started, or when the stage is added to a graph that runs, to look up the queues of other
     * stages. Called once, before any other hook, by the thread that does so.
     *
     * @param context for looking up queues
     * @throws Exception if the stage cannot start; then the graph is not started, or the stage not added, and
     *                   {@link #handleStop} is called here too
     */
    default void handleStart(StageContext context) throws Exception {
    }

    /**
     * Called when handling an event has failed. The default implementation logs a warning, or an error if the cause is
     * an {@link Error}. Exceptions are logged.
     *
     * @param event the event that was being handled; null if all events of the batch had been handled
     * @param cause the exception or error
     */
    default void handleFailure(@Nullable E event, Throwable cause) {
        HookFailure.log(LoggerFactory.getLogger(StageHandler.class), this, event, cause);
    }

    /**
     * Called when an accepted event will not be handled: it has waited too long (see {@link DelayController}), or the
     * stage was stopped before. The handler may answer the request, or release the resources of the event. Exceptions
     * are logged.
     *
     * <p>At the end of the stage it is called by the thread that stops the graph, or by one that commits a reservation
     * too late. If the deadline of the stop has passed, it may be called while another hook has not returned, even of
     * an exclusive handler.
     *
     * @param event the event
     * @throws Exception whatever goes wrong
     */
    default void handleDiscarded(E event) throws Exception {
    }

    /**
     * Called when the stage has ended: no other hook is called any more, but one may still be running if it has not
     * returned within the deadline of the stop. Called once, also if {@link #handleStart} has thrown, but not if that
     * was never called. Exceptions are logged; but an {@link OutOfMemoryError} or a {@link StackOverflowError} is
     * thrown by the stop, once all other handlers have been called, and stopping again calls this one again.
     *
     * @throws Exception whatever goes wrong
     */
    default void handleStop() throws Exception {
    }

    /**
     * {@return whether only one thread at a time may call its hooks} Called once. The memory effects of one call are
     * then visible to the next.
     */
    default boolean isExclusive() {
        return false;
    }
}
