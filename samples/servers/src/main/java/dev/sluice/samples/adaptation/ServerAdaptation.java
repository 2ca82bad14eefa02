package dev.sluice.samples.adaptation;

import java.util.ArrayList;
import java.util.List;

/**
 * A state of an adaptive server: of its service, and of each pool of threads that serves it. Immutable; the next state
 * depends only on this one, on a sample and on the numbers of busy threads.
 *
 * <p>There is one experiment at a time, a trial of ways to send files or the growth of a pool: each is judged by the
 * throughput of the whole server, to which another one would contribute. The next experiment begins when it has ended.
 * A pool whose threads are held by clients makes no experiments, and does not wait for one, as its clients would have
 * to wait as long.
 *
 * @param service of the service
 * @param pools   of each pool
 */
public record ServerAdaptation(Adaptation service, List<PoolAdaptation> pools) {

    /** Copies the list. */
    public ServerAdaptation {
        pools = List.copyOf(pools);
    }

    /**
     * Processes a sample.
     *
     * @param sample of the time since the previous sample, in which this state was active
     * @param busy   how many threads of each pool have something to do at this moment, and how much waits for one
     * @return the next state
     */
    public ServerAdaptation next(LoadSample sample, List<Integer> busy) {
        Adaptation next = service.next(sample, noneOnTrial(pools));
        // Each as it is after this look if its turn has come, or as it was before.
        List<PoolAdaptation> all = new ArrayList<>(pools);
        for (int i = 0; i < all.size(); i++) {
            all.set(i, all.get(i).next(busy.get(i), sample, !next.isOnTrial() && noneOnTrial(all)));
        }
        return new ServerAdaptation(next, all);
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
        return new ServerAdaptation(service, all);
    }
}
