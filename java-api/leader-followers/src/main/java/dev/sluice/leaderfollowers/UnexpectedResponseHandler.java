package dev.sluice.leaderfollowers;

/**
 * Called for responses that no thread expects: to a request that was never made, was answered before, or whose thread
 * has stopped waiting.
 *
 * @param <R> the responses
 */
@FunctionalInterface
public interface UnexpectedResponseHandler<R> {

    /**
     * Called by the thread that has received the response, perhaps a leader, so it must not block.
     *
     * @param responseId the number that would identify the request
     * @param response   what was received
     */
    void handleUnexpected(long responseId, R response);
}
