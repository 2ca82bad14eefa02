package dev.sluice.leaderfollowers;

import dev.sluice.hook.HookFailure;
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
     * {@link #handleElement} threw, an exception or an error. Logs a warning unless overridden, of an {@link Error} an
     * error. Must not throw; if it does, that is logged.
     *
     * @param element for which
     * @param cause   what was thrown
     */
    default void handleFailure(E element, Throwable cause) {
        HookFailure.log(LoggerFactory.getLogger(ElementHandler.class), this, element, cause);
    }
}
