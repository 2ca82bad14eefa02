package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketStream;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * A concurrency strategy with its threads and loops, a state of the {@link StrategyContext}. It ends when it has been
 * retired and its last connection is closed or has moved.
 */
final class ActiveStrategy {

    /** Connections given between two looks at which of them are open. */
    private static final int BETWEEN_LOOKS = 1000;

    private final ConcurrencyStrategy strategy;
    private final StopRequest stop;
    private final Thread thread;
    private final CompletableFuture<GivenConnections> begun = new CompletableFuture<>();
    private final Set<SocketStream> given = ConcurrentHashMap.newKeySet();
    /** Of the thread that gives connections. */
    private int sinceLook;

    /**
     * Makes one that does not run yet.
     *
     * @param grace  how long connections have to finish when the server stops
     * @param failed called with the failure of a thread that it cannot do without
     */
    ActiveStrategy(ConcurrencyStrategy strategy, ServedProtocol protocol, ServerOptions options, int threads,
            Duration grace, Consumer<Throwable> failed) {
        this.strategy = strategy;
        // The signals of the process are the server's.
        this.stop = new StopRequest((loop, registration, signal, task) -> { }, grace);
        this.thread = new Thread(() -> run(protocol, options, threads, failed), protocol.name() + "-" + strategy);
    }

    private void run(ServedProtocol protocol, ServerOptions options, int threads, Consumer<Throwable> failed) {
        try {
            strategy.serveGiven(protocol, options, threads, stop, begun::complete);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
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
        thread.start();
        try {
            begun.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        }
    }

    ConcurrencyStrategy strategy() {
        return strategy;
    }

    /** Serves a connection. For the thread that accepts. */
    void take(SocketStream stream) {
        given.add(stream);
        if (++sinceLook > BETWEEN_LOOKS) {
            removeClosed();
        }
        begun.join().taker().accept(stream);
    }

    /** {@return how many connections it serves, and perhaps some that have been closed lately} */
    int count() {
        return given.size();
    }

    void removeClosed() {
        sinceLook = 0;
        given.removeIf(each -> !each.handle().isOpen());
    }

    /** A connection is not its own any more. */
    void left(SocketStream stream) {
        given.remove(stream);
    }

    /** Its connections leave where and when they can. */
    void retire(Consumer<SocketStream> next) {
        begun.join().mover().accept(next);
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
