package dev.sluice.samples.concurrency;

import dev.sluice.connection.Acceptor;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.MultipleLeadersPool;
import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.conversation.PooledConnection;
import dev.sluice.samples.server.Connections;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that take turns, on one handle set or several; these get the connections in turn. */
final class LeaderFollowersServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderFollowersServer.class);

    private final Arrangement parts;
    private final List<HandleSetSource> handleSets = new ArrayList<>();
    private final List<MultipleLeadersPool> pools = new ArrayList<>();

    private LeaderFollowersServer(Arrangement parts) {
        this.parts = parts;
    }

    static LeaderFollowersServer onOneHandleSet(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
            throws IOException {
        return new LeaderFollowersServer(parts).begin(acceptor, service, 1, false);
    }

    static LeaderFollowersServer withAPoolForEachHandleSet(SocketAcceptor acceptor, RequestHandler service,
            Arrangement parts) throws IOException {
        return new LeaderFollowersServer(parts).begin(acceptor, service, parts.handleSets(), false);
    }

    static LeaderFollowersServer withMultipleLeaders(SocketAcceptor acceptor, RequestHandler service,
            Arrangement parts) throws IOException {
        return new LeaderFollowersServer(parts).begin(acceptor, service, parts.handleSets(), true);
    }

    private LeaderFollowersServer begin(SocketAcceptor acceptor, RequestHandler service, int count, boolean shared)
            throws IOException {
        try {
            for (int i = 0; i < count; i++) {
                handleSets.add(openHandleSet());
            }
            PromotionOrder order = parts.pool().anyOrder();
            if (shared) {
                pools.add(new MultipleLeadersPool(order, handleSets));
            } else {
                handleSets.forEach(handleSet -> pools.add(new LeaderFollowersPool(handleSet, order)));
            }
            Map<Dispatcher, RequestHandler> services = new HashMap<>();
            Promotion promotion = parts.pool().anyPromotion();
            for (int i = 0; i < count; i++) {
                MultipleLeadersPool pool = pools.get(i % pools.size());
                services.put(handleSets.get(i),
                        promotion == Promotion.BY_HANDLER ? new PromotingHandler(service, pool) : service);
            }
            Connections connections = new Connections();
            new Acceptor(handleSets.get(0), acceptor, handleSets, () -> new PooledConnection(
                    (stream, handleSet) -> new FramedConversation(stream, services.get(handleSet)),
                    handleSet -> connections, promotion)).open();
            for (int i = 0; i < parts.threads(); i++) {
                startThread(i);
            }
        } catch (Throwable e) {
            acceptor.close();
            close();
            throw e;
        }
        return this;
    }

    private HandleSetSource openHandleSet() throws IOException {
        SynchronousEventDemultiplexer opened = Demultiplexers.openSynchronous(parts.demultiplexer());
        try {
            return new HandleSetSource(opened, parts.pool().kind());
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    private void startThread(int number) {
        MultipleLeadersPool pool = pools.get(number % pools.size());
        Thread thread = new Thread(() -> join(pool), "follower-" + number);
        if (parts.pool().order() == PromotionOrder.PRIORITY) {
            // Among equals, it would be the order of those who wait longest.
            thread.setPriority(Thread.MAX_PRIORITY - number % Thread.MAX_PRIORITY);
        }
        thread.start();
    }

    private static void join(MultipleLeadersPool pool) {
        try {
            pool.join();
        } catch (IOException | RuntimeException e) {
            LOG.error("a thread of {} has failed", pool, e);
        }
    }

    @Override
    public void close() {
        pools.forEach(MultipleLeadersPool::close);
        // Those that have not come to a pool.
        handleSets.forEach(HandleSetSource::close);
    }
}
