package dev.sluice.samples.server;

import dev.sluice.handle.SystemCallException;
import dev.sluice.leaderfollowers.MultipleLeadersPool;
import dev.sluice.leaderfollowers.SystemPriority;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a Leader/Followers pool that is a server's own, and what such threads have in common. */
public final class PoolThreads {

    private static final Logger LOG = LoggerFactory.getLogger(PoolThreads.class);

    private PoolThreads() {
    }

    /**
     * Starts threads of the priority of this process, see {@link #start(MultipleLeadersPool, String, int, int,
     * StopRequest)}.
     *
     * @param pool  the pool that they join
     * @param name  the prefix of their names
     * @param count the number
     * @param stop  asked for when one of them fails
     */
    public static void start(MultipleLeadersPool pool, String name, int count, StopRequest stop) {
        start(pool, name, count, Thread.NORM_PRIORITY, stop);
    }

    /**
     * Starts threads that end when the pool is closed.
     *
     * @param pool     the pool that they join
     * @param name     the prefix of their names
     * @param count    the number
     * @param priority of each, from {@link Thread#MIN_PRIORITY} to {@link Thread#MAX_PRIORITY}, to the system as well,
     *                 where it lets this process choose; where it does not, that is logged
     * @param stop     asked for when one of them fails
     */
    public static void start(MultipleLeadersPool pool, String name, int count, int priority, StopRequest stop) {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> serve(pool, stop), name + "-" + i);
            thread.setPriority(priority);
            thread.start();
        }
    }

    private static void serve(MultipleLeadersPool pool, StopRequest stop) {
        try {
            if (Thread.currentThread().getPriority() != Thread.NORM_PRIORITY) {
                adoptPriority();
            }
            pool.join();
        } catch (IOException | RuntimeException | Error e) {
            stop.fail(e);
        }
    }

    /**
     * Sets the system's priority of the calling thread according to its Java priority. If the system does not permit
     * that, this is logged, and the thread continues at the priority of the process.
     */
    public static void adoptPriority() {
        try {
            SystemPriority.adopt();
        } catch (SystemCallException | UnsupportedOperationException e) {
            LOG.warn("{} runs at the priority of the process: {}", Thread.currentThread().getName(), e.getMessage());
        }
    }
}
