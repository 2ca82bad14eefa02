package dev.sluice.samples.io;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.StrategyContext;
import dev.sluice.samples.server.ResizablePool;
import dev.sluice.samples.server.UnusableOptionException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The pools of threads that serve the ports of a server. The concurrency strategy of a port determines
 * whether it has one. If a {@link StrategyContext} can change it, its threads are not listed here. For one thread,
 * but for {@link #all()}.
 */
public final class PortPools {

    private final ResizablePool first;
    private final Map<Integer, Other> others;
    private final StrategyContext strategy;

    /**
     * The pool of another port than the first.
     *
     * @param concurrency the port's strategy
     * @param pool        that it has
     */
    record Other(ConcurrencyStrategy concurrency, ResizablePool pool) {
    }

    /**
     * Creates the list.
     *
     * @param first  that of the first port; null if it has none
     * @param others those of other ports, by their port, as far as they have one
     */
    PortPools(ResizablePool first, Map<Integer, Other> others) {
        this(first, others, null);
    }

    private PortPools(ResizablePool first, Map<Integer, Other> others, StrategyContext strategy) {
        this.strategy = strategy;
        this.first = first;
        this.others = new LinkedHashMap<>(others);
    }

    /** {@return those of other ports, where the first one has a strategy that changes} */
    static PortPools changeable(StrategyContext strategy, Map<Integer, Other> others) {
        return new PortPools(null, others, strategy);
    }

    /** {@return what changes the strategy at the first port; null if that stays} */
    public StrategyContext strategy() {
        return strategy;
    }

    /** {@return none, for a server whose threads are not configured} */
    public static PortPools none() {
        return new PortPools(null, Map.of());
    }

    /** {@return all of them, by what comes before "pool" where they are told apart: nothing, or "port 8081 "} */
    public Map<String, ResizablePool> all() {
        Map<String, ResizablePool> all = new LinkedHashMap<>();
        if (first != null) {
            all.put("", first);
        }
        others.forEach((port, other) -> all.put("port " + port + " ", other.pool()));
        return all;
    }

    /**
     * Enlarges the pools that are to have more threads: all of them, or none.
     *
     * @param counts the numbers of threads
     * @return restores the numbers that there have been before
     * @throws UnusableOptionException if the system refuses a thread
     */
    public Runnable grow(ThreadCounts counts) throws UnusableOptionException {
        Deque<Runnable> undone = new ArrayDeque<>();
        Runnable undo = () -> undone.forEach(Runnable::run);
        try {
            if (first != null) {
                grow(first, counts.first(), "--threads", undone);
            }
            for (Other each : others.values()) {
                grow(each.pool(), counts.other(each.concurrency()), "--also-threads", undone);
            }
        } catch (UnusableOptionException e) {
            undo.run();
            throw e;
        }
        return undo;
    }

    private static void grow(ResizablePool pool, int count, String option, Deque<Runnable> undone)
            throws UnusableOptionException {
        int before = pool.threads();
        if (before >= count) {
            return;
        }
        try {
            pool.resize(count);
            undone.push(() -> pool.resize(before));
        } catch (OutOfMemoryError e) {
            throw new UnusableOptionException(option, count + ": the system refuses: " + e.getMessage(), e);
        }
    }

    /**
     * Shrinks the pools that are to have fewer threads.
     *
     * @param counts the numbers of threads
     */
    public void shrink(ThreadCounts counts) {
        if (first != null) {
            shrink(first, counts.first());
        }
        others.values().forEach(each -> shrink(each.pool(), counts.other(each.concurrency())));
    }

    private static void shrink(ResizablePool pool, int count) {
        if (pool.threads() > count) {
            pool.resize(count);
        }
    }
}
