package dev.sluice.samples.dns;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.PoolThreads;
import dev.sluice.samples.server.Signals;
import dev.sluice.samples.server.StopRequest;
import java.io.Closeable;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One datagram socket, and a pool of threads that take turns waiting on it. */
final class NameServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(NameServer.class);

    /** Reads the names. */
    @FunctionalInterface
    interface Source {
        /** {@return the current names} */
        Names read() throws IOException;
    }

    private final Source source;
    private final LeaderFollowersPool pool;
    private volatile Names names;

    /**
     * Starts the threads that answer.
     *
     * @param socket the socket, which is closed with this
     * @param source the source of names, read now and at every SIGHUP
     * @param demultiplexer by name
     * @param count the number of threads
     * @param counts        counts the datagrams by outcome
     * @param stop          asked for by SIGTERM, SIGINT and what fails
     */
    NameServer(SocketDatagram socket, Source source, String demultiplexer, int count, QueryCounts counts,
            StopRequest stop) throws IOException {
        this.source = source;
        this.names = source.read();
        // Not the demultiplexer for Leader/Followers: that would have to rearm the socket, which stays in a
        // level-triggered set.
        this.pool = LeaderFollowersPool.open(Mechanism.choose(demultiplexer, Mechanism.Mode.SYNCHRONOUS),
                PromotionOrder.IMPLEMENTATION_DEFINED);
        try {
            QueryHandler handler = new QueryHandler(pool, socket, new Responder(() -> names, counts), counts,
                    stop::fail);
            pool.handleSet().register(socket.handle(), Interest.READ, handler, Promotion.BY_HANDLER);
            stop.listen(pool);
            reloadAtHangUp(stop.signals());
            PoolThreads.start(pool, "dns", count, stop);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void reloadAtHangUp(Signals signals) {
        try {
            signals.register(pool, OsSignal.HUP, this::reload);
        } catch (UnsupportedOperationException e) {
            LOG.debug("reloading the names by a signal is not possible", e);
        }
    }

    private void reload() {
        try {
            names = source.read();
            LOG.info("reloaded: {}", names);
        } catch (IOException e) {
            LOG.warn("not reloaded: {}", FileProblem.describe(e));
        }
    }

    String demultiplexer() {
        return pool.handleSet().demultiplexer();
    }

    Names names() {
        return names;
    }

    /** Ends after its threads have answered the queries that they have received. */
    @Override
    public void close() {
        pool.close();
    }
}
