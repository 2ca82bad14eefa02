package dev.sluice.samples.oltp.pool;

import dev.sluice.leaderfollowers.LeaderFollowersPool;

/** Makes the services of a server. */
@FunctionalInterface
public interface ServiceFactory {

    /**
     * Makes the service of a new connection.
     *
     * @param pool the threads that serve it
     * @return the service
     */
    Service create(PoolStates pool);

    /**
     * Called before the first connection if a leader/followers pool serves: connections that the services wait for may
     * be registered there as well, and waited for in the pool.
     *
     * @param pool open for longer than any connection is served
     */
    default void servedBy(LeaderFollowersPool pool) {
    }
}
