package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import java.io.IOException;

/**
 * What the peer of a stream misses when a send fails, is cancelled half-way, or sends only some of its bytes. The
 * program has perhaps started more sends already, whose bytes would arrive in the place of those that are missing: they
 * fail. Once the program has collected the completion, it knows what is missing, and what it starts then is sent; but
 * nothing is after a failure half-way, since of several threads that send only one knows where it would have to go on.
 *
 * <p>Used only inside, except where it says otherwise.
 */
final class StreamGap {

    /** In the place of an error: what is left of a send that was to send some of its bytes. */
    private static final IOException REST = new IOException("some of the bytes");

    /** How many the program knows of. Written by the thread that collects what has left one, read by any. */
    volatile int known;
    /** How many there are. */
    int count;
    /** What has left the latest: {@link #REST}, or an error; null if there was no memory for that. */
    private IOException cause;

    /** {@return what has left the latest on a stream, or null} */
    IOException cause(HandleAssociation stream) {
        return cause != REST ? cause : new IOException("a send to " + stream + " was to send some of its bytes, and has"
                + " not sent all of them: start the next send after its completion, which reports how many");
    }

    /**
     * An operation is about to complete with an error.
     *
     * @param operation the operation
     * @param error     its result, a negated error number
     * @param sent      whether it has sent some bytes
     */
    void leave(OperationSlot operation, long error, boolean sent) {
        if (!operation.arguments().continuesStream() || operation.knownGaps != count) {
            // What is behind a gap adds none.
            return;
        }
        boolean cancelled = Errno.ECANCELED.is(error);
        if (cancelled && !sent) {
            // As if it had not been started.
            return;
        }
        cause = errorOf(operation, error);
        count++;
        if (cancelled || !sent) {
            operation.gap = count;
        }
    }

    /**
     * An operation is about to complete that has sent some of its bytes, as it was asked to. The program may send the
     * rest once it knows.
     *
     * @param operation the operation
     */
    void leaveRest(OperationSlot operation) {
        if (operation.arguments().continuesStream() && operation.knownGaps == count) {
            cause = REST;
            operation.gap = ++count;
        }
    }

    private static IOException errorOf(OperationSlot operation, long error) {
        try {
            IOException failure = operation.error(error);
            if (operation.failure != null) {
                failure.initCause(operation.failure);
            }
            return failure;
        } catch (OutOfMemoryError e) {
            // The failures that it would explain come nevertheless.
            return null;
        }
    }
}
