package dev.sluice.samples.conversation;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server whose concurrency strategy changes while it runs, as the JAWS paper has it: the context of the State
 * pattern, whose states are {@link ActiveStrategy}s. The strategy that is current accepts connections by its own
 * threads, on its own descriptor of the listening socket; where the system has no second one, a reactor with a thread
 * of its own accepts, and gives each connection to the current strategy. After a change, connections of the earlier
 * strategy come back at their next request boundary and are given to the current one. If a thread waits in the kernel
 * for the client, that is after the client's next request. On a completion port connections stay where they are. The
 * earlier strategy ends with its last connection.
 */
public final class StrategyContext {

    private static final Logger LOG = LoggerFactory.getLogger(StrategyContext.class);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final ServedProtocol protocol;
    private final ServerOptions options;
    private final ConnectionLimit limit;
    private final StopRequest stop;
    /** All that run: the last one is current. Changed by the reactor's thread, after the first one. */
    private final List<ActiveStrategy> active = new CopyOnWriteArrayList<>();
    private volatile ActiveStrategy current;
    private volatile Reactor reactor;
    private SocketAcceptor socket;

    /**
     * Makes a server that does not run yet.
     *
     * @param protocol what is served
     * @param options  where to listen, and with which demultiplexer the first strategy waits
     * @param limit    of the connections
     * @param stop     ends it, and is notified of failures
     */
    public StrategyContext(ServedProtocol protocol, ServerOptions options, ConnectionLimit limit, StopRequest stop) {
        this.protocol = protocol;
        this.options = options;
        this.limit = limit;
        this.stop = stop;
    }

    /**
     * Serves until the process is asked to stop.
     *
     * @param first   the strategy to begin with
     * @param threads how many, for strategies that have a choice
     * @param begun   run before the first connection is accepted
     * @throws IOException          if it cannot listen, or a thread fails
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(ConcurrencyStrategy first, int threads, Runnable begun)
            throws IOException, InterruptedException {
        ServerOptions accepting = options.at(0, Mode.SYNCHRONOUS, null);
        try (EventLoopServer<Reactor> server = new EventLoopServer<>(protocol.name() + "-context", 1,
                accepting::openReactor, stop); SocketAcceptor listening = protocol.listen(options)) {
            socket = listening;
            SocketAddress address = socket.localAddress();
            reactor = server.loops().get(0);
            current = start(first, options, threads);
            active.add(current);
            limit.count(() -> active.stream().mapToInt(ActiveStrategy::open).sum());
            if (!current.accepts()) {
                Acceptor.listen(server.loops(), socket,
                        new ListenOptions().filter(limit::admits).onFailure(stop::fail),
                        () -> new PassedConnection(this::take));
            }
            reactor.schedule(token -> look(), null, BETWEEN_LOOKS, BETWEEN_LOOKS);
            begun.run();
            server.serve(List.of(socket),
                    () -> options.announce(protocol.name(), address, "changeable " + first));
        } finally {
            active.forEach(ActiveStrategy::stop);
            for (ActiveStrategy each : active) {
                each.join();
            }
        }
        if (stop.failure() != null) {
            throw new IOException("a strategy failed: " + stop.failure(), stop.failure());
        }
    }

    private ActiveStrategy start(ConcurrencyStrategy strategy, ServerOptions own, int threads)
            throws IOException, InterruptedException {
        SocketAcceptor listening = duplicate();
        ActiveStrategy started;
        try {
            started = new ActiveStrategy(strategy, protocol, own, threads, listening, stop.grace(), stop::fail);
        } catch (Throwable e) {
            if (listening != null) {
                listening.close();
            }
            throw e;
        }
        try {
            started.start();
        } catch (Throwable e) {
            // After an interrupt it may begin nevertheless, and accept.
            started.stop();
            throw e;
        }
        return started;
    }

    /** Returns another descriptor of the listening socket, null if the system has none. */
    private SocketAcceptor duplicate() throws IOException {
        try {
            return socket.duplicate();
        } catch (UnsupportedOperationException e) {
            LOG.debug("connections are accepted for all strategies by one thread", e);
            return null;
        }
    }

    /**
     * Changes the strategy. The new one has begun when this returns, and gets all connections that are accepted from
     * now on. If the thread is interrupted while the change is being made, this returns normally, with the interrupt
     * status set. If this throws, the current strategy stays; connections that the new one has already accepted have
     * the time to finish that they have when the server stops, and are then closed.
     *
     * @param next    the strategy
     * @param threads how many, for strategies that have a choice
     * @throws IOException          if the new strategy cannot begin, or the server stops
     * @throws InterruptedException if the thread is interrupted before the change is made
     */
    public void change(ConcurrencyStrategy next, int threads) throws IOException, InterruptedException {
        ServerOptions own = options.at(0, next.mode(), next.isConcurrent() ? next.toString() : null);
        ActiveStrategy started = start(next, own, threads);
        CountDownLatch replaced = new CountDownLatch(1);
        AtomicBoolean decided = new AtomicBoolean();
        try {
            reactor.execute(() -> {
                try {
                    if (decided.compareAndSet(false, true)) {
                        replaceBy(started);
                    }
                } finally {
                    replaced.countDown();
                }
            });
        } catch (RejectedExecutionException e) {
            started.stop();
            throw new IOException("the server stops", e);
        } catch (RuntimeException | Error e) {
            // There may be no memory for the task, and nothing else would stop it.
            started.stop();
            throw e;
        }
        awaitReplacement(started, replaced, decided);
    }

    /** Waits, however long that takes: the connections of an earlier change may come first. */
    private void awaitReplacement(ActiveStrategy started, CountDownLatch replaced, AtomicBoolean decided)
            throws IOException, InterruptedException {
        boolean interrupted = false;
        boolean done = false;
        while (!done) {
            try {
                done = replaced.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                if (decided.compareAndSet(false, true)) {
                    // Otherwise nothing would stop it if the server stopped before the change.
                    started.stop();
                    throw e;
                }
                interrupted = true;
            }
            if (!done && !reactor.isOpen() && decided.compareAndSet(false, true)) {
                started.stop();
                throw new IOException("the server stops");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void replaceBy(ActiveStrategy next) {
        ActiveStrategy previous = current;
        active.add(next);
        current = next;
        previous.retire(stream -> release(previous, stream));
    }

    /** A connection comes back from a strategy that has been retired. For any thread. */
    private void release(ActiveStrategy previous, SocketStream stream) {
        try {
            reactor.execute(() -> {
                take(stream);
                previous.left(stream);
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is closed as the server stops", stream, e);
            stream.close();
        }
    }

    private void take(SocketStream stream) {
        try {
            current.take(stream);
        } catch (RuntimeException | Error e) {
            Failures.log(stream, e);
            stream.close();
        }
    }

    private void look() {
        for (ActiveStrategy each : active) {
            each.removeClosed();
            if (each != current && each.hasStayedEmpty()) {
                each.stop();
                if (each.hasEnded()) {
                    active.remove(each);
                    LOG.info("{} has ended", each.strategy());
                }
            }
        }
    }

    /** {@return whether it has begun to serve and does not stop} */
    public boolean isServing() {
        Reactor accepting = reactor;
        return accepting != null && accepting.isOpen();
    }

    /** {@return the current strategy} */
    public ConcurrencyStrategy strategy() {
        return current.strategy();
    }

    /** {@return the number of threads that the current strategy has been given; 0 if that depends on the clients} */
    public int threads() {
        return current.threads();
    }

    /** {@return how many connections the current strategy serves, or keeps waiting for a thread} */
    public int connections() {
        return current.open();
    }

    /** {@return how many connections earlier strategies still serve, perhaps with some that have been closed lately} */
    public int staying() {
        ActiveStrategy now = current;
        return active.stream().filter(each -> each != now).mapToInt(ActiveStrategy::count).sum();
    }

    /** {@return a line for each strategy that runs, the current one first} */
    public List<String> status() {
        List<String> lines = new ArrayList<>();
        ActiveStrategy now = current;
        lines.add("concurrency " + now.strategy());
        for (ActiveStrategy each : active) {
            if (each != now) {
                lines.add("retired " + each.strategy() + " " + each.count());
            }
        }
        return lines;
    }
}
