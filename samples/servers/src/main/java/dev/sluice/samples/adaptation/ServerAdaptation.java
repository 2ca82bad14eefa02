package dev.sluice.samples.adaptation;

import java.util.ArrayList;
import java.util.List;

/**
 * A state of a server that adapts: of its service, and of each pool of threads that serves it. Immutable; the next
 * state depends on this one, on a sample and on how many threads are busy, and on nothing else.
 *
 * <p>There is one experiment at a time, be it a trial of ways to send files or the growth of a pool: each is judged by
 * what the whole server does meanwhile, and would take what another one does for its own. What is due next begins when
 * that has ended. A pool whose threads are held by clients makes no experiment, and has not to wait for one either, as
 * its clients would wait as long.
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
     * Looks at a sample.
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
     * {@return the state after the system has refused threads that a pool asks for}
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
