package dev.sluice.samples.conversation;

import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A concurrency strategy with its threads and loops, a state of the {@link StrategyContext}. It accepts connections,
 * and serves others that are given to it. It ends when it has been retired and its last connection is closed or has
 * moved.
 */
final class ActiveStrategy {

    /** Connections given between two looks at which of them are open. */
    private static final int BETWEEN_LOOKS = 1000;

    private final ConcurrencyStrategy strategy;
    private final int threads;
    private final StopRequest stop;
    private final Thread thread;
    private final CompletableFuture<GivenConnections> begun = new CompletableFuture<>();
    /** Those that have been accepted or given, also before they are open on their loop. */
    private final Set<SocketStream> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger sinceLook = new AtomicInteger();
    /** Whether there was no connection when the context looked last; confined to its thread. */
    private boolean empty;
    /** Null if it accepts none. */
    private final SocketAcceptor listening;

    /**
     * Makes one that does not run yet.
     *
     * @param threads   the number of threads, if it has a choice
     * @param listening what it accepts from, owned by this object from now on; null for nothing
     * @param grace     how long connections have to finish when the server stops
     * @param failed    called with the failure of a thread that it cannot do without
     */
    ActiveStrategy(ConcurrencyStrategy strategy, ServedProtocol protocol, ServerOptions options, int threads,
            SocketAcceptor listening, Duration grace, Consumer<Throwable> failed) {
        this.listening = listening;
        this.strategy = strategy;
        this.threads = threads;
        // The signals of the process are the server's.
        this.stop = new StopRequest((loop, registration, signal, task) -> { }, grace);
        this.thread = new Thread(() -> run(protocol, options, threads, failed), protocol.name() + "-" + strategy);
    }

    private void run(ServedProtocol protocol, ServerOptions options, int threads, Consumer<Throwable> failed) {
        try {
            ConnectionLimit limit = protocol.limit();
            ListenOptions accepting = new ListenOptions().filter(stream -> limit.admits(stream) && count(stream))
                    .onFailure(failed);
            strategy.serveGiven(protocol, options, threads, stop,
                    new Arrivals(listening, accepting, begun::complete));
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            closeListening();
            if (!begun.completeExceptionally(e)) {
                failed.accept(e);
            }
        }
    }

    /**
     * Begins.
     *
     * @throws IOException if it cannot
     */
    void start() throws IOException, InterruptedException {
        try {
            thread.start();
        } catch (Throwable e) {
            closeListening();
            throw e;
        }
        try {
            begun.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        }
    }

    ConcurrencyStrategy strategy() {
        return strategy;
    }

    /** {@return the number of threads that it has been given; 0 if that depends on the clients} */
    int threads() {
        return threads;
    }

    /** {@return whether it accepts connections itself} */
    boolean accepts() {
        return listening != null;
    }

    /** Serves a connection. For one thread at a time. */
    void take(SocketStream stream) {
        count(stream);
        begun.join().taker().accept(stream);
    }

    /** Counts a connection among its own, before it is open on its loop. */
    private boolean count(SocketStream stream) {
        connections.add(stream);
        if (sinceLook.incrementAndGet() > BETWEEN_LOOKS) {
            removeClosed();
        }
        return true;
    }

    /** {@return how many connections it serves; those that are not open on their loop yet may be left out} */
    int open() {
        return begun.join().open().getAsInt();
    }

    /** {@return how many connections it has, and perhaps some that have been closed lately} */
    int count() {
        return connections.size();
    }

    /**
     * {@return whether it has had no connection for two calls in succession} A thread that has accepted a connection
     * while the listening socket was closed counts it in between.
     */
    boolean hasStayedEmpty() {
        boolean before = empty;
        empty = connections.isEmpty();
        return before && empty;
    }

    void removeClosed() {
        sinceLook.set(0);
        connections.removeIf(each -> !each.handle().isOpen());
    }

    /** A connection is not its own any more. */
    void left(SocketStream stream) {
        connections.remove(stream);
    }

    /** It accepts no more, and its connections leave where and when they can. */
    void retire(Consumer<SocketStream> next) {
        closeListening();
        begun.join().mover().accept(next);
    }

    private void closeListening() {
        if (listening != null) {
            listening.close();
        }
    }

    /** Ends it: connections that there are have their time to finish. */
    void stop() {
        stop.request();
    }

    boolean hasEnded() {
        return !thread.isAlive();
    }

    /** Waits until it has ended. */
    void join() throws InterruptedException {
        thread.join();
    }
}
