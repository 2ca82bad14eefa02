package dev.sluice.samples.compare;

import dev.sluice.eventloop.OsSignal;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.samples.server.Signals;
import java.io.Closeable;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles SIGINT and SIGTERM before the end of a comparison. Ends the measured server, so that the measuring thread
 * fails immediately.
 */
final class Interruption implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Interruption.class);
    // What shells make of a process that a signal has ended: 128 and the signal's number.
    private static final int SIGINT_EXIT = 130;
    private static final int SIGTERM_EXIT = 143;

    private final ReactorGroup loop;
    private OsSignal signal;
    private Process server;

    private Interruption(ReactorGroup loop) {
        this.loop = loop;
        loop.onFailure(failure -> LOG.error("signals are no longer handled"));
    }

    /** Listens, until it is closed. */
    static Interruption listen(Signals signals) throws IOException {
        Interruption interruption = new Interruption(
                ReactorGroup.builder().loops(1).threadFactory(task -> new Thread(task, "signals")).open());
        interruption.loop.start();
        interruption.listenFor(signals, OsSignal.INT);
        interruption.listenFor(signals, OsSignal.TERM);
        return interruption;
    }

    private void listenFor(Signals signals, OsSignal each) {
        try {
            signals.register(loop.loops().get(0), each, () -> interrupt(each));
        } catch (UnsupportedOperationException e) {
            LOG.debug("cannot handle {}", each, e);
        }
    }

    private synchronized void interrupt(OsSignal received) {
        if (signal == null) {
            signal = received;
            endServer();
        }
    }

    /** Registers a server that has just been started; after an interruption it is ended immediately. */
    synchronized void guard(Process started) {
        server = started;
        if (signal != null) {
            endServer();
        }
    }

    private void endServer() {
        if (server != null) {
            server.destroyForcibly();
        }
    }

    /** {@return whether there has been one} */
    synchronized boolean hasCome() {
        return signal != null;
    }

    /** {@return what the process ends with, if there has been one} */
    synchronized int exitCode() {
        return signal == OsSignal.TERM ? SIGTERM_EXIT : SIGINT_EXIT;
    }

    @Override
    public void close() {
        loop.close();
    }
}
