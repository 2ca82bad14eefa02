package dev.sluice.stages.io;

import dev.sluice.stages.EnqueueResult;
import java.util.ArrayDeque;
import java.util.Queue;

/** The requests of a {@link StagedFile} that have no completion yet. Used by any thread. */
final class FileRequests {

    /**
     * Requests that were accepted and have not begun; the one that closes the file is the last. With capacity for all:
     * a deque loses its elements if there is no memory for another one.
     */
    private final Queue<FileRequest> next = new ArrayDeque<>(StagedFile.MAX_PENDING_REQUESTS + 1);
    /** How many are accepted and have no completion yet. */
    private int accepted;
    /** Whether no more requests are accepted. */
    private boolean closing;

    synchronized EnqueueResult add(FileRequest request) {
        boolean closes = request.operation() == FileOperation.CLOSE;
        if (closing) {
            return EnqueueResult.CLOSED;
        }
        if (accepted >= StagedFile.MAX_PENDING_REQUESTS && !closes) {
            return EnqueueResult.FULL;
        }
        next.add(request);
        accepted++;
        closing = closes;
        return EnqueueResult.ACCEPTED;
    }

    synchronized void stopAccepting() {
        closing = true;
    }

    /** {@return the next request to begin; null if there is none} */
    synchronized FileRequest take() {
        return next.poll();
    }

    synchronized boolean hasNext() {
        return !next.isEmpty();
    }

    /** {@return whether the next completion is the last one} */
    synchronized boolean isAtLast() {
        return closing && accepted == 1;
    }

    /**
     * Called when a request has got its completion.
     *
     * @return true if it was the last one
     */
    synchronized boolean end() {
        boolean last = isAtLast();
        accepted--;
        return last;
    }
}
