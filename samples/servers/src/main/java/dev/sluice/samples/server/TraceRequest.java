package dev.sluice.samples.server;

import dev.sluice.eventloop.OsSignal;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prints the traces of all loops and pools to standard error at SIGUSR1, the only signal for programs that the virtual
 * machine leaves alone: SIGQUIT prints its threads, and SIGUSR2 stops and continues them.
 */
final class TraceRequest {

    private static final Logger LOG = LoggerFactory.getLogger(TraceRequest.class);

    private TraceRequest() {
    }

    /** Listens for the signal, which otherwise keeps its default action: to end the process. */
    static void listen(BiConsumer<OsSignal, Runnable> registration) {
        try {
            registration.accept(OsSignal.USR1, TraceRequest::print);
        } catch (UnsupportedOperationException e) {
            LOG.info("printing the traces by a signal is not possible: {}", e.getMessage());
        }
    }

    private static void print() {
        try {
            DispatchTrace.printAll(System.err);
        } catch (IOException e) {
            LOG.debug("the traces cannot be printed", e);
        }
    }
}
