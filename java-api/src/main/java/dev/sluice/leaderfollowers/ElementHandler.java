package dev.sluice.leaderfollowers;

import dev.sluice.hook.HookFailure;
import org.slf4j.LoggerFactory;

/**
 * Handles what comes through a {@link QueueSource}. Its methods may be called by any thread of the pool, and for
 * different elements at the same time.
 *
 * @param <E> the elements
 */
@FunctionalInterface
public interface ElementHandler<E> {

    /**
     * Handles an element, which has been taken out of the queue.
     *
     * @param element which
     * @throws Exception whatever goes wrong
     */
    void handleElement(E element) throws Exception;

    /**
     * {@link #handleElement} threw an exception or an error. Unless overridden it logs a warning, or an error if the
     * cause is an {@link Error}. Must not throw; if it does, that is logged.
     *
     * @param element the element
     * @param cause   what was thrown
     */
    default void handleFailure(E element, Throwable cause) {
        HookFailure.log(LoggerFactory.getLogger(ElementHandler.class), this, element, cause);
    }
}
