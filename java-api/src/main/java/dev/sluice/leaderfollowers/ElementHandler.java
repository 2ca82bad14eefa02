package dev.sluice.leaderfollowers;

import org.slf4j.LoggerFactory;

/**
 * Handles what comes through a {@link QueueSource}. Its methods are called by any thread of the pool, for different
 * elements also at the same time.
 *
 * @param <E> the elements
 */
@FunctionalInterface
public interface ElementHandler<E> {

    /**
     * There is an element. It has been taken out of the queue.
     *
     * @param element which
     * @throws Exception whatever goes wrong
     */
    void handleElement(E element) throws Exception;

    /**
     * {@link #handleElement} threw. Logs a warning unless overridden. Must not throw.
     *
     * @param element for which
     * @param cause   what was thrown
     */
    default void handleFailure(E element, Exception cause) {
        LoggerFactory.getLogger(ElementHandler.class).warn("{} failed on {}", this, element, cause);
    }
}
