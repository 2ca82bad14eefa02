package dev.sluice.samples.server;

import dev.sluice.handle.SocketStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * The open connections of one event loop, for the orderly stop, and for timeouts. Thread-safe, since other threads may
 * serve them.
 */
public final class Connections {

    /** A connection that can be requested to end. */
    @FunctionalInterface
    public interface Finishing {

        /**
         * Answers the requests received already, and then closes; does not wait for new ones. Called by the thread that
         * has called {@link Connections#finish()} or {@link Connections#add}.
         */
        void finish();

        /**
         * Leaves at the next request boundary for what {@link Connections#handOn} leads to, if it can; it stays unless
         * this is overridden. Called by the thread that has called {@link Connections#move} or {@link Connections#add}.
         */
        default void move() {
        }

        /**
         * {@return whether its client has kept it waiting for too long} The default implementation returns false.
         *
         * @param now by {@link System#nanoTime()}
         */
        default boolean isLate(long now) {
            return false;
        }

        /** Ends it because it is late, or notifies the client. Called by the thread that has called {@link #expire}. */
        default void expire() {
        }
    }

    private final Set<Finishing> open = new LinkedHashSet<>();
    private final CountDownLatch finished = new CountDownLatch(1);
    private boolean finishing;
    /** Takes connections that leave; null as long as none is to leave. */
    private Consumer<SocketStream> next;
    private volatile int count;

    /** Creates the empty set. */
    public Connections() {
    }

    /**
     * A connection has been opened.
     *
     * @param connection the connection
     */
    public void add(Finishing connection) {
        boolean tooLate;
        boolean moves;
        synchronized (this) {
            open.add(connection);
            count = open.size();
            tooLate = finishing;
            moves = next != null;
        }
        if (tooLate) {
            connection.finish();
        } else if (moves) {
            connection.move();
        }
    }

    /**
     * A connection has been closed.
     *
     * @param connection the connection
     */
    public synchronized void remove(Finishing connection) {
        open.remove(connection);
        count = open.size();
        countDownIfFinished();
    }

    /** {@return how many are open} */
    public int count() {
        return count;
    }

    /** Requests all connections to finish, including later ones. */
    public void finish() {
        List<Finishing> all;
        synchronized (this) {
            finishing = true;
            all = List.copyOf(open);
        }
        // Without the lock, since they may take turns, and remove themselves.
        all.forEach(Finishing::finish);
        synchronized (this) {
            countDownIfFinished();
        }
    }

    /**
     * Asks all connections to leave, and those that come after this as well.
     *
     * @param taker takes those that do; called by any thread
     */
    public void move(Consumer<SocketStream> taker) {
        List<Finishing> all;
        synchronized (this) {
            next = taker;
            all = List.copyOf(open);
        }
        all.forEach(Finishing::move);
    }

    /**
     * A connection has left, is none of these any more, and nothing else here uses it.
     *
     * @param stream the connection
     */
    public void handOn(SocketStream stream) {
        Consumer<SocketStream> taker;
        synchronized (this) {
            taker = next;
        }
        taker.accept(stream);
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

    /** Calls {@link Finishing#expire} of all connections that are late. If some throw, rethrows that after the last. */
    public void expire() {
        Throwable failure = null;
        for (Finishing each : late()) {
            try {
                each.expire();
            } catch (RuntimeException | Error e) {
                // This connection may fail each time, and others must not wait for it.
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    private synchronized List<Finishing> late() {
        long now = System.nanoTime();
        List<Finishing> late = new ArrayList<>();
        for (Finishing each : open) {
            if (each.isLate(now)) {
                late.add(each);
            }
        }
        return late;
    }
}
