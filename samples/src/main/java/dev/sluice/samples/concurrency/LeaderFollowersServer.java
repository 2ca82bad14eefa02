package dev.sluice.samples.concurrency;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.PromotionOrder;
import java.io.Closeable;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pool whose threads take turns. */
final class LeaderFollowersServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderFollowersServer.class);

    private final RequestHandler service;
    private final LeaderFollowersPool pool;
    private final HandleControl control;

    LeaderFollowersServer(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int count)
            throws IOException {
        this.service = service;
        try {
            this.pool = LeaderFollowersPool.open(demultiplexer, PromotionOrder.LIFO);
        } catch (Throwable e) {
            acceptor.close();
            throw e;
        }
        this.control = HandleControl.of(pool.handleSet());
        try {
            control.register(new SessionAcceptor(acceptor, this::open));
            for (int i = 0; i < count; i++) {
                new Thread(this::join, "follower-" + i).start();
            }
        } catch (Throwable e) {
            acceptor.close();
            close();
            throw e;
        }
    }

    private void open(SocketStream stream) throws IOException {
        control.register(new ReactiveSession(stream, service, control));
    }

    private void join() {
        try {
            pool.join();
        } catch (IOException | RuntimeException e) {
            LOG.error("a thread of {} has failed", pool, e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
