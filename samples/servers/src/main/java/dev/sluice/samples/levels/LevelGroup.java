package dev.sluice.samples.levels;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.leaderfollowers.ElementHandler;
import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.leaderfollowers.MultipleLeadersPool;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.leaderfollowers.QueueSource;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.PoolThreads;
import dev.sluice.samples.server.StopRequest;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A service level at work: its event sources and its threads. */
final class LevelGroup implements ElementHandler<Job>, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LevelGroup.class);

    private final Level level;
    private final SocketAcceptor listener;
    private final HandleSetSource handleSet;
    private final BlockingQueue<Job> jobs;
    private final MultipleLeadersPool pool;
    private final LongAdder done = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final AtomicInteger clients = new AtomicInteger();
    private volatile boolean closing;

    /**
     * Begins to serve.
     *
     * @param level         what it gets
     * @param listener      closed with this
     * @param demultiplexer by name
     * @param queueCapacity in the queue of jobs
     * @param limit         of the connections of all levels
     * @param stop          asked for by SIGTERM, SIGINT and threads that fail
     */
    LevelGroup(Level level, SocketAcceptor listener, String demultiplexer, int queueCapacity, ConnectionLimit limit,
               StopRequest stop)
            throws IOException {
        this.level = level;
        this.listener = listener;
        this.jobs = new ArrayBlockingQueue<>(queueCapacity);
        this.handleSet = HandleSetSource.open(demultiplexer, false);
        this.pool = new MultipleLeadersPool(PromotionOrder.IMPLEMENTATION_DEFINED,
                List.of(handleSet, new QueueSource<>(jobs, this)));
        try {
            limit.count(clients::get);
            Acceptor.listen(List.of(handleSet), listener,
                    new ListenOptions().filter(limit::admits).onFailure(stop::fail), () -> new ClientHandler(this));
            stop.listen(pool, handleSet);
            PoolThreads.start(pool, level.name(), level.threads(), level.priority(), stop);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** {@return how many clients are connected} */
    AtomicInteger clients() {
        return clients;
    }

    SocketAddress address() throws IOException {
        return listener.localAddress();
    }

    String demultiplexer() {
        return handleSet.demultiplexer();
    }

    /** Logs periodically what has been done since the last time; the timer expires in the leader's wait. */
    void reportEvery(Duration period) {
        handleSet.schedule(token -> LOG.info("{}", this), null, period, period);
    }

    /** Puts a job into the queue; returns false if the queue is full. */
    boolean offer(Job job) {
        boolean accepted = jobs.offer(job);
        if (!accepted) {
            rejected.increment();
        }
        return accepted;
    }

    @Override
    public void handleElement(Job job) {
        String digest = job.digest(() -> !closing);
        if (digest != null) {
            done.increment();
        }
        job.client().finish(digest);
    }

    /** Gives up the jobs, ends the connections, and waits for the threads. */
    @Override
    public void close() {
        closing = true;
        pool.close();
        listener.close();
    }

    /** {@return for example {@code gold: 17 jobs done, 0 refused, 2 in the queue}} */
    @Override
    public String toString() {
        return level.name() + ": " + done + " jobs done, " + rejected + " refused, " + jobs.size() + " in the queue";
    }
}
