package dev.sluice.samples.logging;

import dev.sluice.connection.Acceptor;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The paper's Logging Acceptor. When it closes it leaves nobody behind in the backlog. */
final class LoggingAcceptor extends Acceptor implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LoggingAcceptor.class);
    /** A loop that does not come to it within a second has failed, or is stuck. */
    private static final long PATIENCE_SECONDS = 1;

    private final Reactor reactor;
    private final SocketAcceptor socket;

    LoggingAcceptor(Reactor reactor, SocketAcceptor socket, Supplier<LoggingHandler> factory) {
        super(reactor, socket, factory);
        this.reactor = reactor;
        this.socket = socket;
    }

    /**
     * Accepts the connections that wait in the backlog, whose clients may have sent records already, then closes the
     * listening socket. A connection that is made between these two is reset by the system, a later one refused. Not
     * for the loop thread, which does the work.
     */
    @Override
    public void close() {
        CountDownLatch closed = new CountDownLatch(1);
        reactor.execute(() -> {
            acceptBacklog();
            super.close();
            closed.countDown();
        });
        try {
            if (!closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("connections in the backlog are cut");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        super.close();
    }

    private void acceptBacklog() {
        try {
            // No more than can have waited when the stop began, or clients that keep coming would put it off. Linux
            // lets one more wait than it was asked for.
            for (int i = 0; i <= SocketAcceptor.DEFAULT_BACKLOG; i++) {
                SocketStream stream = socket.accept();
                if (stream == null) {
                    return;
                }
                activateServiceHandler(stream, makeServiceHandler());
            }
        } catch (IOException e) {
            LOG.warn("connections in the backlog are cut: {}", e.getMessage());
        }
    }
}
