package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;

/**
 * The single-method dispatch interface (Proactor paper, implementation activity 2.3), for handlers that are one
 * function. {@link CompletionHandler#of} makes a {@link CompletionHandler} of it.
 */
@FunctionalInterface
public interface SingleMethodCompletionHandler {

    /**
     * An operation of any type has completed.
     *
     * @param completion the result
     * @throws Exception whatever goes wrong
     */
    void handleEvent(Completion completion) throws Exception;
}
