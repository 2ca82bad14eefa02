package dev.sluice.samples.configurator;

import java.io.Closeable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pattern's Service Repository: the current service, and earlier ones that still have requests to finish.
 *
 * @param <S> the type of the services
 */
public final class ServiceRepository<S extends Service> implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceRepository.class);

    private final Executor closer;
    private final Set<S> open = new HashSet<>();
    private volatile S current;

    /**
     * Creates a repository.
     *
     * @param first  the current service; owned by this object
     * @param closer closes those that have been replaced, since that may take a while; where it rejects to do so, they
     *               are closed by {@link #close()}
     */
    public ServiceRepository(S first, Executor closer) {
        this.closer = closer;
        this.current = first;
        add(first);
    }

    private synchronized void add(S service) {
        open.add(service);
        service.whenUnused(() -> closeLater(service));
    }

    private void closeLater(S service) {
        try {
            closer.execute(() -> close(service));
        } catch (RejectedExecutionException e) {
            // The server is stopping: nothing new begins, and the rest is closed with this object.
            return;
        }
    }

    private void close(S service) {
        boolean mine;
        synchronized (this) {
            mine = open.remove(service);
        }
        if (mine) {
            service.close();
        }
    }

    /** {@return the current service, not retained: it may be replaced and closed at any time} */
    public S current() {
        return current;
    }

    /** {@return the current service, retained: it is not closed until the caller has released it} */
    public S acquire() {
        S service = current;
        while (!service.retain()) {
            service = current;
        }
        return service;
    }

    /**
     * Replaces the current service: {@link #acquire()} returns the new one from now on. The one before is closed when
     * it has been released as often as it has been acquired. A failure of its {@link Service#retire()} is logged.
     *
     * @param next owned by this object from now on
     */
    public void replace(S next) {
        add(next);
        S previous;
        synchronized (this) {
            previous = current;
            current = next;
        }
        // A slow client must not keep more than its own request open.
        try {
            previous.retire();
        } catch (RuntimeException | Error e) {
            // The next service is the current one already, so a caller that caught this could undo nothing.
            LOG.warn("a service that has been replaced keeps more than its requests need", e);
        } finally {
            previous.release();
        }
    }

    /** {@return the number of services, the current one included} */
    public synchronized int count() {
        return open.size();
    }

    /** Closes all services, when there are no requests any more. */
    @Override
    public void close() {
        List<S> all;
        synchronized (this) {
            all = List.copyOf(open);
        }
        all.forEach(this::close);
    }
}
