package dev.sluice.samples.server;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.EventLoopGroup;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.MultipleLeadersPool;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Waits for what ends a server: SIGTERM, SIGINT, or the failure of a thread that it cannot do without. A second SIGINT
 * cuts the stop short; a second SIGTERM does not, as timeout(1) sends two. Where its dispatch is traced, SIGUSR1 prints
 * the trace.
 */
public final class StopRequest {

    /** Default time that connections have to finish when the server is asked to stop. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    private final CountDownLatch requested = new CountDownLatch(1);
    private volatile Throwable failure;
    private final AtomicBoolean listening = new AtomicBoolean();
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private final CompletableFuture<Void> cutShort = new CompletableFuture<>();

    private final Signals signals;
    private final Duration grace;

    /** Waits for the signals of the process; connections have {@link #GRACE} to finish. */
    public StopRequest() {
        this(Signals.OF_PROCESS, GRACE);
    }

    /**
     * Waits for signals.
     *
     * @param signals the source of signals
     * @param grace   how long connections have to finish when the server is asked to stop
     */
    public StopRequest(Signals signals, Duration grace) {
        this.signals = signals;
        this.grace = grace;
    }

    /** {@return how long connections have to finish when the server is asked to stop} */
    public Duration grace() {
        return grace;
    }

    /** {@return where the signals come from} */
    public Signals signals() {
        return signals;
    }

    /**
     * Listens for the signals.
     *
     * @param loop that dispatches them
     */
    public void listen(EventLoop loop) {
        listen(loop.trace(), (signal, task) -> signals.register(loop, signal, task));
    }

    /**
     * Listens for the signals.
     *
     * @param pool that dispatches them
     */
    public void listen(LeaderFollowersPool pool) {
        listen(pool.trace(), (signal, task) -> signals.register(pool, signal, task));
    }

    /**
     * Listens for the signals.
     *
     * @param pool      whose threads wait for the handle set
     * @param handleSet that dispatches them
     */
    public void listen(MultipleLeadersPool pool, HandleSetSource handleSet) {
        listen(pool.trace(), (signal, task) -> signals.register(handleSet, signal, task));
    }

    private void listen(Optional<DispatchTrace> trace, BiConsumer<OsSignal, Runnable> registration) {
        registration.accept(OsSignal.TERM, this::request);
        // Each loop that listens gets the same signal, which counts once.
        registration.accept(OsSignal.INT, listening.compareAndSet(false, true) ? this::interrupt : this::request);
        if (trace.isPresent()) {
            TraceRequest.listen(registration);
        }
    }

    /**
     * Runs event loops until the stop is asked for, or one of them fails, and then lets their connections finish.
     *
     * @param group the loops, where something listens
     * @param ready run when they run
     * @throws IOException          if a loop has failed
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(EventLoopGroup<?> group, Runnable ready) throws IOException, InterruptedException {
        group.onFailure(this::fail);
        group.start();
        listen(group.loops().get(0));
        ready.run();
        await();
        throwFailure();
        group.stop(grace);
        whenCutShort(() -> group.stop(Duration.ZERO));
        group.run();
        throwFailure();
    }

    private void throwFailure() throws IOException {
        if (failure != null) {
            throw new IOException("an event loop failed: " + failure, failure);
        }
    }

    /** Requests the stop. */
    public void request() {
        requested.countDown();
    }

    private void interrupt() {
        request();
        if (interrupted.getAndSet(true)) {
            cutShort.complete(null);
        }
    }

    /**
     * Sets what ends the wait for connections that have not finished, once the user does not want to wait any longer.
     *
     * @param action must not block; called by a loop, or at once
     */
    public void whenCutShort(Runnable action) {
        cutShort.thenRun(action);
    }

    /**
     * Requests the stop because of a failure.
     *
     * @param cause what failed
     */
    public void fail(Throwable cause) {
        failure = cause;
        request();
    }

    /**
     * Waits until the stop is asked for.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void await() throws InterruptedException {
        requested.await();
    }

    /** {@return what failed, null if nothing did} */
    public Throwable failure() {
        return failure;
    }
}
