package dev.sluice.samples.oltp.pool;

import static java.util.stream.Collectors.joining;

import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.leaderfollowers.ThreadRole;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** A leader/followers pool with its threads. */
final class LeaderFollowersThreads implements AutoCloseable {

    private final LeaderFollowersPool pool;
    private final int count;
    private final Nesting nesting;

    LeaderFollowersThreads(String demultiplexer, int count, Duration longestWait, Consumer<Throwable> failed)
            throws IOException {
        // With a leader on every kind of handle set where threads are bound to responses: only a leader can hand one to
        // the thread that waits for it. Its priority says how much a thread has to do already.
        pool = longestWait.isZero() ? LeaderFollowersPool.open(demultiplexer, PromotionOrder.LIFO)
                : LeaderFollowersPool.open(demultiplexer, PromotionOrder.PRIORITY, HandleSetKind.ITERATIVE);
        nesting = new Nesting(pool, count, longestWait);
        this.count = count;
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> join(failed), "pool-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void join(Consumer<Throwable> failed) {
        try {
            pool.join();
        } catch (IOException | RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    LeaderFollowersPool pool() {
        return pool;
    }

    Nesting nesting() {
        return nesting;
    }

    Map<String, Object> states() {
        Map<String, Object> states = PoolStates.threads(count);
        for (ThreadRole role : ThreadRole.values()) {
            List<Thread> threads = pool.threads(role);
            String key = "pool_" + role.name().toLowerCase(Locale.ROOT);
            states.put(key, threads.size());
            states.put(key + "_threads", threads.stream().map(Thread::getName).sorted().collect(joining(",")));
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
