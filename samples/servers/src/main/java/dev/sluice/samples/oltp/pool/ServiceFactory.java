package dev.sluice.samples.oltp.pool;

import dev.sluice.leaderfollowers.LeaderFollowersPool;
import java.time.Duration;

/** Makes the services of a server. */
@FunctionalInterface
public interface ServiceFactory {

    /**
     * Creates the service of a new connection.
     *
     * @param pool the threads that serve it
     * @return the service
     */
    Service create(PoolStates pool);

    /**
     * {@return the longest that services wait in the leader/followers pool that serves, if one does; zero if they do
     * not}
     */
    default Duration longestWaitInPool() {
        return Duration.ZERO;
    }

    /**
     * Called before the first connection if a leader/followers pool serves: where services {@linkplain
     * #longestWaitInPool wait in it}, the connections that they wait for are to be registered there as well.
     *
     * @param pool open for longer than any connection is served
     */
    default void servedBy(LeaderFollowersPool pool) {
    }

    /** The time to finish is over: services that wait for something else wait no longer. */
    default void abandon() {
    }
}
