package dev.sluice.samples.oltp.pool;

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
}
