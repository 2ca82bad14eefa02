package dev.sluice.samples.server;

import dev.sluice.reactor.Reactor;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One or more reactor threads, from their start to their orderly stop. */
public final class ReactorServer implements AutoCloseable {

    /** How long connections have to finish when the server is asked to stop. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(ReactorServer.class);

    private final StopRequest stop = new StopRequest();
    private final List<ReactorThread> threads = new ArrayList<>();
    private final List<Connections> connections = new ArrayList<>();

    /**
     * Opens the reactors; nothing runs yet.
     *
     * @param name          of the server
     * @param demultiplexer what to wait with
     * @param count         the number of threads, at least 1
     * @throws IOException if the system refuses
     */
    public ReactorServer(String name, String demultiplexer, int count) throws IOException {
        try {
            for (int i = 0; i < count; i++) {
                threads.add(new ReactorThread(name + "-" + i, demultiplexer, stop::fail));
                connections.add(new Connections());
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** {@return the reactors, the first of which accepts} */
    public List<Reactor> reactors() {
        return threads.stream().map(ReactorThread::reactor).toList();
    }

    /**
     * The open connections of a reactor.
     *
     * @param reactor one of {@link #reactors()}
     * @return its connections
     */
    public Connections connections(Reactor reactor) {
        return connections.get(reactors().indexOf(reactor));
    }

    /**
     * Starts the threads and serves until the process is asked to stop; then stops accepting, and gives the connections
     * {@link #GRACE} to finish.
     *
     * @param listening what takes in new work, closed first
     * @param ready     run when the server accepts
     * @throws IOException          if a reactor failed
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(List<? extends Closeable> listening, Runnable ready) throws IOException, InterruptedException {
        threads.forEach(ReactorThread::start);
        stop.listen(reactors().get(0));
        ready.run();
        stop.await();
        for (Closeable socket : listening) {
            socket.close();
        }
        if (stop.failure() != null) {
            throw new IOException("a reactor failed: " + stop.failure(), stop.failure());
        }
        finishConnections();
    }

    private void finishConnections() throws InterruptedException {
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).reactor().execute(connections.get(i)::finish);
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
        threads.forEach(ReactorThread::close);
    }
}
