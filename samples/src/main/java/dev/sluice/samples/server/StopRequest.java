package dev.sluice.samples.server;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.SignalHandler;
import java.util.concurrent.CountDownLatch;

/** Waits for what ends a server: SIGTERM, SIGINT, or the failure of a thread that it cannot do without. */
public final class StopRequest implements SignalHandler {

    private final CountDownLatch requested = new CountDownLatch(1);
    private volatile Throwable failure;

    /** Makes one that nothing has asked for yet. */
    public StopRequest() {
    }

    /**
     * Listens for the signals.
     *
     * @param loop that dispatches them
     */
    public void listen(EventLoop loop) {
        loop.registerSignalHandler(OsSignal.TERM, this);
        loop.registerSignalHandler(OsSignal.INT, this);
    }

    /** Asks for the stop. */
    public void request() {
        requested.countDown();
    }

    /**
     * Asks for the stop because of a failure.
     *
     * @param cause what failed
     */
    public void fail(Throwable cause) {
        failure = cause;
        request();
    }

    @Override
    public void handleSignal(OsSignal signal) {
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
