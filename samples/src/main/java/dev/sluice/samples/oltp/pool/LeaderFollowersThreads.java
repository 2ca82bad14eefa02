package dev.sluice.samples.oltp.pool;

import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.leaderfollowers.ThreadRole;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A leader/followers pool with its threads. */
final class LeaderFollowersThreads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderFollowersThreads.class);

    private final LeaderFollowersPool pool;
    private final int count;
    private final Nesting nesting;

    LeaderFollowersThreads(String demultiplexer, int count) throws IOException {
        // With a leader on every kind of handle set: only a leader can hand a response to the thread that waits for it.
        // Its priority says how much a thread has to do already.
        pool = LeaderFollowersPool.open(demultiplexer, PromotionOrder.PRIORITY, HandleSetKind.ITERATIVE);
        nesting = new Nesting(pool, count);
        this.count = count;
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(this::join, "follower " + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void join() {
        try {
            pool.join();
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("a thread of {} has failed", pool, e);
        }
    }

    LeaderFollowersPool pool() {
        return pool;
    }

    Nesting nesting() {
        return nesting;
    }

    Map<String, Object> states() {
        Map<String, Object> states = new LinkedHashMap<>();
        states.put("pool_threads", count);
        for (ThreadRole role : ThreadRole.values()) {
            states.put("pool_" + role.name().toLowerCase(Locale.ROOT), pool.threads(role).size());
        }
        states.put("pool_postponed", nesting.postponed());
        return states;
    }

    /** Waits until the threads have finished what they dispatch. */
    @Override
    public void close() {
        pool.close();
    }
}
