package dev.sluice.samples.configurator;

import java.io.Closeable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What requests are answered with, until another one takes its place. Whoever begins with a request keeps it until that
 * is over, so that none of its parts ends before. For any thread.
 */
public abstract class Service implements Closeable {

    /** One of them is the repository, as long as this is the service in force. */
    private final AtomicInteger users = new AtomicInteger(1);
    private volatile Runnable last;

    /** For subclasses. */
    protected Service() {
    }

    /** Has something done when the last user has left. Called before there are any but the repository. */
    final void whenUnused(Runnable task) {
        last = task;
    }

    /** Becomes one more user; tells whether that came before the last one has left. */
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

    /** {@return how many use it at this moment} As a rule the repository is one of them. */
    protected final int users() {
        return users.get();
    }

    /** A user leaves. */
    public final void release() {
        if (users.decrementAndGet() == 0) {
            last.run();
        }
    }

    /**
     * Another one is in force: keeps only what its users need to finish, however long that takes. Does nothing unless
     * overridden. Called once, perhaps when there are no users.
     */
    protected void retire() {
    }

    /** Ends it. Called once, when nobody uses it any more, or when the server has ended. */
    @Override
    public abstract void close();
}
