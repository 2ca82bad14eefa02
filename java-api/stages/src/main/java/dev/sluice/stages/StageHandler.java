package dev.sluice.stages;

import dev.sluice.hook.HookFailure;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * The paper's event handler: the logic of a stage. It controls neither its queue nor its threads, and is the same
 * however the stage runs. Unless it {@linkplain #isExclusive() asks for one thread at a time}, its hooks may be called
 * by several threads at once.
 *
 * @param <E> the events
 */
@FunctionalInterface
public interface StageHandler<E> {

    /**
     * Makes a handler of functions for single events.
     *
     * @param handler   called for each event of a batch
     * @param discarded called for each event that will not be handled
     * @param <E>       the events
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
     * Handles events, and enqueues others at other stages. On an event loop it must not block. What it throws, of any
     * kind, affects only the event that it has taken last, see {@link EventBatch}.
     *
     * @param batch at least one event; only valid until this returns
     * @throws Exception whatever goes wrong
     */
    void handleEvents(EventBatch<E> batch) throws Exception;

    /**
     * The graph is started: looks up the queues of other stages. Called once, before any other hook, by the thread that
     * starts the graph.
     *
     * @param context where they are
     * @throws Exception if the stage cannot work; then the graph is not started, and {@link #handleStop} is called here
     *                   too
     */
    default void handleStart(StageContext context) throws Exception {
    }

    /**
     * Handling an event has failed. Unless overridden, it logs a warning, or an error if the cause is an {@link Error}.
     * What it throws is logged.
     *
     * @param event what was being handled; null if all events of the batch had been handled when it was thrown
     * @param cause what was thrown
     */
    default void handleFailure(E event, Throwable cause) {
        HookFailure.log(LoggerFactory.getLogger(StageHandler.class), this, event, cause);
    }

    /**
     * An event that was accepted will not be handled: it has waited too long (see {@link DelayController}), or the
     * stage was stopped before its turn came. The handler may answer the request, or release what the event owns. What
     * it throws is logged.
     *
     * <p>At the end of the stage it is called by the thread that stops the graph, or by one that commits a prepared
     * event too late. If a deadline has passed, that may be while another hook has not returned, also of a handler that
     * asks for one thread at a time.
     *
     * @param event the event
     * @throws Exception whatever goes wrong
     */
    default void handleDiscarded(E event) throws Exception {
    }

    /**
     * The stage has ended: no other hook is called any more, unless one has not returned within the deadline of the
     * stop. Called once, also if {@link #handleStart} has thrown, and not if that was never called. What it throws is
     * logged; but an {@link OutOfMemoryError} or a {@link StackOverflowError} is thrown by the stop, once all other
     * handlers have been called, and stopping again calls this one again.
     *
     * @throws Exception whatever goes wrong
     */
    default void handleStop() throws Exception {
    }

    /**
     * {@return whether only one thread at a time may call its hooks; asked once} Each then sees what the last has done.
     */
    default boolean isExclusive() {
        return false;
    }
}
