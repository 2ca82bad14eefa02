package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Gaps in the output of a stream, caused by a send that fails, is cancelled halfway, or sends only some of its bytes.
 * Sends that the program has already started would put their bytes in the place of the missing ones, so they fail. Once
 * the program has collected the completion, it knows what is missing, and sends that it then starts are executed. After
 * a failure halfway no send is executed any more, because of several threads that send, only one knows where to
 * continue.
 *
 * <p>Used only inside, except where noted.
 */
final class StreamGap {

    /** Stands for the cause of a gap after a send that was allowed to send only some of its bytes. */
    private static final IOException REST = new IOException("some of the bytes");

    /**
     * The number of gaps that the program knows of. Written by the thread that collects the completion of the cause,
     * read by any thread.
     */
    volatile int known;
    /** The number of gaps. */
    int count;
    /** The cause of the latest gap: {@link #REST}, or an error; null if there was no memory for the error. */
    private @Nullable IOException cause;

    /** {@return the cause of the latest gap, or null} */
    @Nullable IOException cause(HandleAssociation stream) {
        return cause != REST ? cause : new IOException("a previous send to " + stream + " has sent only some of"
                + " its bytes: start the next send after its completion, which reports their number");
    }

    /**
     * Adds a gap, if the failure of an operation causes one.
     *
     * @param operation the operation
     * @param error     the result of the operation, a negated error number
     * @param sent      whether the operation has sent some bytes
     */
    void add(OperationSlot operation, long error, boolean sent) {
        if (!operation.arguments().continuesStream() || operation.knownGaps != count) {
            // A send after a gap sends nothing and adds none.
            return;
        }
        boolean cancelled = Errno.ECANCELED.is(error);
        if (cancelled && !sent) {
            // The stream is as if the operation had not been started.
            return;
        }
        cause = errorOf(operation, error);
        count++;
        if (cancelled || !sent) {
            operation.gap = count;
        }
    }

    /**
     * Adds a gap, if a completing operation has sent only some of its bytes, as it may. The program can send the rest
     * once it knows.
     *
     * @param operation the operation
     */
    void addRest(OperationSlot operation) {
        if (operation.arguments().continuesStream() && operation.knownGaps == count) {
            cause = REST;
            operation.gap = ++count;
        }
    }

    private static @Nullable IOException errorOf(OperationSlot operation, long error) {
        try {
            IOException failure = operation.error(error);
            if (operation.failure != null) {
                failure.initCause(operation.failure);
            }
            return failure;
        } catch (OutOfMemoryError e) {
            // Later sends fail without this cause.
            return null;
        }
    }
}
