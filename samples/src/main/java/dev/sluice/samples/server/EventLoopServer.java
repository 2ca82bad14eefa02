package dev.sluice.samples.server;

import dev.sluice.eventloop.EventLoop;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One or more threads with an event loop each, from their start to their orderly stop.
 *
 * @param <L> reactors or proactors
 */
public final class EventLoopServer<L extends EventLoop> implements AutoCloseable {

    /** How long connections have to finish when the server is asked to stop. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(EventLoopServer.class);

    /**
     * How a loop is opened.
     *
     * @param <L> a reactor or a proactor
     */
    @FunctionalInterface
    public interface Opener<L> {

        /**
         * Opens one.
         *
         * @return the loop
         * @throws IOException if the system refuses
         */
        L open() throws IOException;
    }

    private final StopRequest stop;
    private final List<EventLoopThread<L>> threads = new ArrayList<>();
    private final List<Connections> connections = new ArrayList<>();

    /**
     * Opens the loops; nothing runs yet.
     *
     * @param name   of the server
     * @param count  the number of threads, at least 1
     * @param opener called for each
     * @throws IOException if the system refuses
     */
    public EventLoopServer(String name, int count, Opener<L> opener) throws IOException {
        this(name, count, opener, new StopRequest());
    }

    /**
     * Opens the loops of a server that cannot do without some threads of its own either; nothing runs yet.
     *
     * @param name   of the server
     * @param count  the number of threads, at least 1
     * @param opener called for each
     * @param stop   told by those other threads if they fail
     * @throws IOException if the system refuses
     */
    public EventLoopServer(String name, int count, Opener<L> opener, StopRequest stop) throws IOException {
        this.stop = stop;
        try {
            for (int i = 0; i < count; i++) {
                threads.add(new EventLoopThread<>(name + "-" + i, opener.open(), stop::fail));
                connections.add(new Connections());
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** {@return the loops, the first of which accepts} */
    public List<L> loops() {
        return threads.stream().map(EventLoopThread::loop).toList();
    }

    /**
     * The open connections of a loop.
     *
     * @param loop one of {@link #loops()}
     * @return its connections
     */
    public Connections connections(L loop) {
        return connections.get(loops().indexOf(loop));
    }

    /**
     * Starts the threads and serves until the process is asked to stop; then stops accepting, and gives the connections
     * {@link #GRACE} to finish.
     *
     * @param listening what takes in new work, closed first
     * @param ready     run when the server accepts
     * @throws IOException          if a loop failed
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(List<? extends Closeable> listening, Runnable ready) throws IOException, InterruptedException {
        threads.forEach(EventLoopThread::start);
        stop.listen(loops().get(0));
        ready.run();
        stop.await();
        for (Closeable socket : listening) {
            socket.close();
        }
        if (stop.failure() != null) {
            throw new IOException("an event loop failed: " + stop.failure(), stop.failure());
        }
        finishConnections();
    }

    private void finishConnections() throws InterruptedException {
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).loop().execute(connections.get(i)::finish);
        }
        long deadline = System.nanoTime() + GRACE.toNanos();
        boolean all = true;
        for (Connections each : connections) {
            all &= each.finished().await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        if (!all) {
            LOG.warn("connections that did not finish within {} s are cut", GRACE.toSeconds());
        }
    }

    @Override
    public void close() {
        threads.forEach(EventLoopThread::close);
    }
}
