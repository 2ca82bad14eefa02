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
     * @param element the element
     * @throws Exception whatever goes wrong
     */
    void handleElement(E element) throws Exception;

    /**
     * {@return whether the elements are responses that threads of a {@link BoundLeaderFollowersPool} wait for, to be
     * {@linkplain BoundLeaderFollowersPool#handOff handed off}} False unless overridden. Asked once for each source.
     *
     * <p>If so, the leader handles an element without promoting a new leader first, so {@link #handleElement} must not
     * block, and even a thread handles it whose waits are nested too deeply to dispatch anything else.
     */
    default boolean isBound() {
        return false;
    }

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
