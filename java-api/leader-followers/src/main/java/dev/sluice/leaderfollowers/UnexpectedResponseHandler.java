package dev.sluice.leaderfollowers;

/**
 * Called for responses that no thread expects: the request was never made, was answered before, or its thread has
 * stopped waiting.
 *
 * @param <R> the type of the responses
 */
@FunctionalInterface
public interface UnexpectedResponseHandler<R> {

    /**
     * Handles a response that no thread expects. Called by the thread that has received it, possibly a leader, so it
     * must not block.
     *
     * @param responseId the number that would identify the request
     * @param response   the response
     */
    void handleUnexpected(long responseId, R response);
}
