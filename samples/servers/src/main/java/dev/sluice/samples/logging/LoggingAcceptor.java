package dev.sluice.samples.logging;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.StopRequest;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The paper's Logging Acceptor. Before it closes, it accepts the connections in the backlog. */
final class LoggingAcceptor implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LoggingAcceptor.class);
    private final Reactor reactor;
    private final SocketAcceptor socket;
    private final RecordCollector collector;
    private final int maxConnections;
    private final StopRequest stop;
    private final GracePeriod grace;
    private final Acceptor acceptor;

    /**
     * Begins to accept.
     *
     * @param reactor        to accept on
     * @param socket         the listening socket
     * @param collector      counts the connections
     * @param maxConnections at a time; each may make the server hold on to a record in part
     * @param stop           tells whether the loop has failed
     * @param grace          how long the loop may take to close it
     * @param factory        makes the handler of a connection
     */
    LoggingAcceptor(Reactor reactor, SocketAcceptor socket, RecordCollector collector, int maxConnections,
                    StopRequest stop, GracePeriod grace, Supplier<LoggingHandler> factory) throws IOException {
        this.reactor = reactor;
        this.socket = socket;
        this.collector = collector;
        this.maxConnections = maxConnections;
        this.stop = stop;
        this.grace = grace;
        this.acceptor = Acceptor.listen(List.of(reactor), socket,
                new ListenOptions().filter(this::admits).onFailure(stop::fail), factory);
    }

    private boolean admits(SocketStream stream) {
        if (collector.counts().open < maxConnections) {
            return true;
        }
        collector.complain(stream, "closed, there are " + maxConnections + " connections already");
        return false;
    }

    /**
     * Accepts the connections that wait in the backlog, whose clients may have sent records already, then closes the
     * listening socket. A connection that is made between these two is reset by the system, a later one refused. Not
     * for the loop thread, which does the work.
     */
    @Override
    public void close() {
        if (stop.failure() == null) {
            letLoopClose();
        }
        acceptor.close();
    }

    private void letLoopClose() {
        CountDownLatch closed = new CountDownLatch(1);
        reactor.execute(() -> {
            acceptBacklog();
            acceptor.close();
            closed.countDown();
        });
        try {
            if (!closed.await(grace.forSources().toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("the loop is busy; connections in the backlog are closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void acceptBacklog() {
        IOException failure = null;
        // No more than can have been in the backlog when the stop began, or new clients could delay the stop without
        // end. The backlog of Linux holds one more than requested.
        for (int i = 0; i <= SocketAcceptor.DEFAULT_BACKLOG && !isOfSocket(failure); i++) {
            try {
                SocketStream stream = socket.accept();
                if (stream == null) {
                    return;
                }
                acceptor.serve(stream);
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            LOG.warn("connections in the backlog are closed: {}", failure.getMessage());
        }
    }

    private static boolean isOfSocket(IOException failure) {
        return failure != null && !(failure instanceof SystemCallException e
                && ErrorScope.ofAccept(e) != ErrorScope.SOCKET);
    }
}
