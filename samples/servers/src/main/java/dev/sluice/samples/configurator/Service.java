package dev.sluice.samples.configurator;

import java.io.Closeable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A configuration that requests are served with, until another one replaces it. A request retains the service it began
 * with until it has been answered, so that no part of it is closed earlier. For any thread.
 */
public abstract class Service implements Closeable {

    /** Includes the repository, as long as this is the current service. */
    private final AtomicInteger users = new AtomicInteger(1);
    private volatile Runnable last;

    /** For subclasses. */
    protected Service() {
    }

    /**
     * Sets the task to run when the last user has released this service. Called before there are users other than the
     * repository.
     */
    final void whenUnused(Runnable task) {
        last = task;
    }

    /**
     * Adds a user.
     *
     * @return false if the last user has already released it
     */
    final boolean retain() {
        int count = users.get();
        while (count > 0) {
            if (users.compareAndSet(count, count + 1)) {
                return true;
            }
            count = users.get();
        }
        return false;
    }

    /** {@return the current number of users} Usually the repository is one of them. */
    protected final int users() {
        return users.get();
    }

    /** Removes a user. */
    public final void release() {
        if (users.decrementAndGet() == 0) {
            last.run();
        }
    }

    /**
     * Called when another service has replaced this one: keeps only what its users need to finish, however long that
     * takes. The default implementation does nothing. Called once, possibly when there are no users.
     */
    protected void retire() {
    }

    /** Closes it. Called once, when the last user has released it, or when the server has ended. */
    @Override
    public abstract void close();
}
