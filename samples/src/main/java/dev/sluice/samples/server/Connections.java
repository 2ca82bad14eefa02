package dev.sluice.samples.server;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * The open connections of one event loop, for the orderly stop. For its loop thread, but for {@link #finished()}
 * and {@link #count()}.
 */
public final class Connections {

    /** A connection that can be asked to come to its end. */
    @FunctionalInterface
    public interface Finishing {

        /** Takes what has been received already, answers it, and then closes; nothing new is waited for. */
        void finish();
    }

    private final Set<Finishing> open = new LinkedHashSet<>();
    private final CountDownLatch finished = new CountDownLatch(1);
    private boolean finishing;
    private volatile int count;

    /** Makes the empty set. */
    public Connections() {
    }

    /**
     * A connection has been opened.
     *
     * @param connection which
     */
    public void add(Finishing connection) {
        open.add(connection);
        count = open.size();
        if (finishing) {
            connection.finish();
        }
    }

    /**
     * A connection has been closed.
     *
     * @param connection which
     */
    public void remove(Finishing connection) {
        open.remove(connection);
        count = open.size();
        countDownIfFinished();
    }

    /** {@return how many are open} */
    public int count() {
        return count;
    }

    /** Asks all connections to finish, and those that come after this as well. */
    public void finish() {
        finishing = true;
        List.copyOf(open).forEach(Finishing::finish);
        countDownIfFinished();
    }

    private void countDownIfFinished() {
        if (finishing && open.isEmpty()) {
            finished.countDown();
        }
    }

    /** {@return opens when all connections have finished} */
    public CountDownLatch finished() {
        return finished;
    }
}
