package dev.sluice.mechanism.operation;

import dev.sluice.calls.Errno;
import java.io.IOException;

/**
 * What the peer of a stream misses when a send fails, is cancelled half-way, or sends only some of its bytes. The
 * program has perhaps started more sends already, whose bytes would arrive in the place of those that are missing: they
 * fail. Once the program has collected the completion, it knows what is missing, and what it starts then is sent; but
 * nothing is after a failure half-way, since of several threads that send only one knows where it would have to go on.
 *
 * <p>Used only inside.
 */
final class StreamGap {

    private StreamGap() {
    }

    /**
     * An operation is about to complete with an error.
     *
     * @param operation the operation
     * @param error     its result, a negated error number
     * @param sent      whether it has sent some bytes
     */
    static void leave(OperationSlot operation, long error, boolean sent) {
        HandleAssociation stream = operation.association();
        if (stream == null || !operation.arguments().continuesStream() || stream.isBehindGap(operation)) {
            return;
        }
        boolean cancelled = Errno.ECANCELED.is(error);
        if (cancelled && !sent) {
            // As if it had not been started.
            return;
        }
        int gap = stream.addGap(causeOf(operation, error));
        if (cancelled || !sent) {
            operation.gap = gap;
        }
    }

    /**
     * An operation is about to complete that has sent some of its bytes, as it was asked to. The program may send the
     * rest once it knows.
     *
     * @param operation the operation
     */
    static void leaveRest(OperationSlot operation) {
        HandleAssociation stream = operation.association();
        if (stream != null && operation.arguments().continuesStream() && !stream.isBehindGap(operation)) {
            operation.gap = stream.addRest();
        }
    }

    private static IOException causeOf(OperationSlot operation, long error) {
        try {
            IOException cause = operation.error(error);
            if (operation.failure != null) {
                cause.initCause(operation.failure);
            }
            return cause;
        } catch (OutOfMemoryError e) {
            // The failures that it would explain come nevertheless.
            return null;
        }
    }
}
