package dev.sluice.samples.conversation;

import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.EOFException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failures of connections. */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(ConversationHandler.class);

    private Failures() {
    }

    static void log(Object connection, Throwable cause) {
        if (cause instanceof RefusedConnectionException || cause instanceof SystemCallException
                || cause instanceof HandleClosedException) {
            // Peers often break connections, and so does the end of the server: logged only for debugging.
            LOG.debug("{}", connection, cause);
        } else if (cause instanceof EOFException || cause instanceof FailedFilterException) {
            // The message names the stream that has ended, or the filter; the stack trace does not matter.
            LOG.warn("{}", cause.getMessage());
        } else {
            LOG.warn("{}", connection, cause);
        }
    }
}
