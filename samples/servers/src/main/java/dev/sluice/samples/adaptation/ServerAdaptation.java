package dev.sluice.samples.adaptation;

import java.util.ArrayList;
import java.util.List;

/**
 * A state of an adaptive server: of its service, of its concurrency strategy, and of each pool of threads that serves
 * it. Immutable; the next state depends only on this one, on a sample, on the connections and on the numbers of busy
 * threads.
 *
 * <p>There is one experiment at a time, a trial of ways to send files or of another concurrency strategy, or the growth
 * of a pool: each is judged by the throughput of the whole server, to which another one would contribute. The next
 * experiment begins when it has ended.
 * A pool whose threads are held by clients makes no experiments, and does not wait for one, as its clients would have
 * to wait as long.
 *
 * @param service     of the service
 * @param concurrency of the strategy at the port where it changes
 * @param pools       of each pool
 */
public record ServerAdaptation(Adaptation service, StrategyAdaptation concurrency, List<PoolAdaptation> pools) {

    /** Copies the list. */
    public ServerAdaptation {
        pools = List.copyOf(pools);
    }

    /**
     * Processes a sample.
     *
     * @param sample of the time since the previous sample, in which this state was active
     * @param busy   how many threads of each pool have something to do at this moment, and how much waits for one
     * @param load   the connections at the port where the strategy changes
     * @return the next state
     */
    public ServerAdaptation next(LoadSample sample, List<Integer> busy, StrategyLoad load) {
        Adaptation next = service.next(sample, noneOnTrial(pools) && !concurrency.isOnTrial());
        StrategyAdaptation strategy = concurrency.next(sample, load, !next.isOnTrial() && noneOnTrial(pools));
        boolean free = !next.isOnTrial() && !strategy.isOnTrial();
        // Each as it is after this look if its turn has come, or as it was before.
        List<PoolAdaptation> all = new ArrayList<>(pools);
        for (int i = 0; i < all.size(); i++) {
            all.set(i, all.get(i).next(busy.get(i), sample, free && noneOnTrial(all)));
        }
        return new ServerAdaptation(next, strategy, all);
    }

    private static boolean noneOnTrial(List<PoolAdaptation> pools) {
        return pools.stream().noneMatch(PoolAdaptation::isOnTrial);
    }

    /**
     * {@return the state after the system has refused threads of a pool}
     *
     * @param pool  which one
     * @param there how many threads it has
     */
    public ServerAdaptation refused(int pool, int there) {
        List<PoolAdaptation> all = new ArrayList<>(pools);
        all.set(pool, all.get(pool).refused(there));
        return new ServerAdaptation(service, concurrency, all);
    }

    /**
     * {@return the state with another one of the concurrency strategy}
     *
     * @param strategy the other one
     */
    public ServerAdaptation with(StrategyAdaptation strategy) {
        return new ServerAdaptation(service, strategy, pools);
    }
}
