package dev.sluice.leaderfollowers;

import dev.sluice.hook.HookFailure;
import org.slf4j.LoggerFactory;

/**
 * Handles the elements of a {@link QueueSource}. The methods may be called by any thread of the pool, and concurrently
 * for different elements.
 *
 * @param <E> the type of the elements
 */
@FunctionalInterface
public interface ElementHandler<E> {

    /**
     * Handles an element, which has been taken out of the queue.
     *
     * @param element the element
     * @throws Exception any exception; it is passed to {@link #handleFailure}
     */
    void handleElement(E element) throws Exception;

    /**
     * {@return whether the elements are responses that threads of a {@link BoundLeaderFollowersPool} wait for, to be
     * {@linkplain BoundLeaderFollowersPool#handOff handed off}} The default implementation returns false. Called once
     * for each source.
     *
     * <p>If so, the leader handles an element without promoting a new leader first, so {@link #handleElement} must not
     * block. The element may be handled by a thread whose waits are nested too deeply to dispatch anything else.
     */
    default boolean isBound() {
        return false;
    }

    /**
     * Called if {@link #handleElement} has thrown an exception or an error. The default implementation logs a warning,
     * or an error if the cause is an {@link Error}. Must not throw; an exception is logged.
     *
     * @param element the element
     * @param cause   the exception or error
     */
    default void handleFailure(E element, Throwable cause) {
        HookFailure.log(LoggerFactory.getLogger(ElementHandler.class), this, element, cause);
    }
}
