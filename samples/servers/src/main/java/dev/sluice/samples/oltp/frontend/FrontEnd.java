package dev.sluice.samples.oltp.frontend;

import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.samples.oltp.pool.PoolStates;
import dev.sluice.samples.oltp.pool.Service;
import dev.sluice.samples.oltp.pool.ServiceFactory;
import java.time.Duration;

/** Serves the clients of a front end. */
final class FrontEnd implements ServiceFactory {

    private final BackEnds backEnds;

    FrontEnd(BackEnds backEnds) {
        this.backEnds = backEnds;
    }

    @Override
    public Duration longestWaitInPool() {
        return backEnds.timeout();
    }

    @Override
    public void servedBy(LeaderFollowersPool pool) {
        backEnds.connect(pool);
    }

    @Override
    public void abandon() {
        backEnds.close();
    }

    @Override
    public Service create(PoolStates pool) {
        return new FrontEndService(backEnds, pool);
    }
}
