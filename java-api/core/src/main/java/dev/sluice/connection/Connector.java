package dev.sluice.connection;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Acceptor-Connector pattern's Connector: connects service handlers without blocking. Any number of attempts can be
 * in progress at the same time. May be used by any thread; the hooks are called by the threads of the dispatcher, those
 * of different service handlers perhaps at the same time if there are several.
 */
public final class Connector {

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    private Connector() {
    }

    /**
     * Connects a service handler without blocking: {@link ServiceHandler#open()} is called when the connection is
     * established, or else {@link ServiceHandler#connectFailed} and {@link ServiceHandler#closed()}, always by a thread
     * that dispatches and, where there is a loop thread, never before this has returned. What is sent in the meantime
     * is queued. {@link ServiceHandler#close()} cancels the attempt.
     *
     * @param dispatcher waits for the connection, and is where the service handler lives
     * @param address    the address of the peer
     * @param timeout    the maximum time to wait for the connection
     * @param handler    the service handler, which has no connection
     * @param <S>        its type
     * @return the service handler
     * @throws IllegalArgumentException if the timeout is negative, or there is no connecting to an address of this
     *                                  kind, such as a Unix domain address without a path
     * @throws IllegalStateException    if the dispatcher is closed, or the handler has a connection
     */
    public static <S extends ServiceHandler> S connect(Dispatcher dispatcher, SocketAddress address, Duration timeout,
            S handler) {
        SocketConnector.requireConnectable(address);
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout + " is negative");
        }
        Pending attempt = new Pending(dispatcher, Objects.requireNonNull(handler, "handler"), address, timeout);
        handler.connecting(dispatcher, address, attempt::cancelLater);
        boolean begins = false;
        try {
            dispatcher.execute(attempt::begin);
            begins = true;
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("connect: " + dispatcher + " is closed; open another loop", e);
        } finally {
            if (!begins) {
                handler.notConnecting();
            }
        }
        return handler;
    }

    /**
     * An attempt in progress. It ends when its handle becomes writable, when it times out, when it is cancelled, or
     * when the dispatcher is closed. Several threads may detect these at the same time: the thread that decides the
     * outcome first ends the registration, and the end of the registration notifies the service handler.
     */
    private static final class Pending implements EventHandler, TimeoutHandler {

        /** The outcome if there is no failure. */
        private static final Object CONNECTED = new Object();

        private final Dispatcher dispatcher;
        private final ServiceHandler handler;
        private final SocketAddress address;
        private final Duration timeout;
        /** Null until there is an outcome: the failure, or that it is connected. */
        private final AtomicReference<Object> outcome = new AtomicReference<>();
        /** Null until it has begun. */
        private volatile @Nullable SocketStream stream;
        /** Null until it waits. */
        private volatile @Nullable Registration registration;
        private @Nullable Timer timer;

        Pending(Dispatcher dispatcher, ServiceHandler handler, SocketAddress address, Duration timeout) {
            this.dispatcher = dispatcher;
            this.handler = handler;
            this.address = address;
            this.timeout = timeout;
        }

        void begin() {
            // There is an outcome already if a thread that cancels it was faster.
            if (outcome.get() != null || !initiate()) {
                finish();
            } else if (outcome.get() != null) {
                // It has timed out, or been cancelled, before there was a registration to end.
                endRegistration();
            }
        }

        /** {@return whether it has to wait, and has been registered for that} */
        private boolean initiate() {
            try {
                SocketConnector.Attempt attempt = SocketConnector.initiate(address, null);
                stream = attempt.stream();
                if (!attempt.connected()) {
                    await(attempt.stream());
                    return true;
                }
                decide(CONNECTED);
            } catch (Throwable e) {
                decide(e);
            }
            return false;
        }

        private void await(SocketStream connecting) throws IOException {
            try {
                timer = dispatcher.schedule(this, null, timeout);
                registration = dispatcher.register(connecting.handle(), Interest.WRITE, this);
            } catch (Throwable e) {
                if (timer != null) {
                    timer.cancel();
                }
                throw e;
            }
        }

        /** By any thread. */
        void cancelLater() {
            try {
                dispatcher.execute(this::cancel);
            } catch (RejectedExecutionException e) {
                // The dispatcher is closed, and with it the attempt is over.
            }
        }

        private void cancel() {
            end(new CancellationException("connect " + address + ": cancelled"));
        }

        private void end(Object result) {
            if (decide(result)) {
                endRegistration();
            }
        }

        private boolean decide(Object result) {
            return outcome.compareAndSet(null, result);
        }

        /** If there is one already: otherwise {@link #begin()} does so when it has registered. */
        private void endRegistration() {
            Registration made = registration;
            if (made != null) {
                made.close();
            }
        }

        @Override
        public void handleInput(Registration ready) {
            throw new AssertionError("an attempt to connect waits for output only");
        }

        @Override
        public void handleOutput(Registration ready) throws IOException {
            SocketConnector.complete(stream(), address);
            if (decide(CONNECTED)) {
                ready.close();
            }
        }

        @Override
        public void handleTimeout(@Nullable Object token) {
            end(SocketConnector.timedOut(address, timeout));
        }

        @Override
        public void handleFailure(@Nullable Registration failed, Throwable cause) {
            if (!decide(cause)) {
                HookFailure.log(LOG, this, failed == null ? null : failed.handle(), cause);
            }
        }

        // Every registration ends here, so the service handler is notified exactly once, whatever the outcome.
        @Override
        public void handleClose(Registration ended) {
            try {
                if (timer != null) {
                    timer.cancel();
                }
                decide(new IOException("the dispatcher was closed before the connection was established"));
            } catch (Throwable e) {
                // There may be no memory at the end.
                handleFailure(ended, e);
            }
            finish();
        }

        private void finish() {
            Object result = outcome.get();
            assert result != null;
            if (result == CONNECTED) {
                activate();
            } else {
                notifyFailed((Throwable) result);
            }
        }

        private void activate() {
            try {
                handler.activate(stream(), dispatcher, null);
            } catch (Throwable e) {
                notifyFailed(e);
            }
        }

        /** {@return that of an attempt that has begun} */
        private SocketStream stream() {
            SocketStream begun = stream;
            assert begun != null;
            return begun;
        }

        private void notifyFailed(Throwable cause) {
            SocketStream begun = stream;
            try {
                if (begun != null) {
                    begun.close();
                }
            } finally {
                handler.notifyConnectFailed(cause);
            }
        }

        @Override
        public String toString() {
            return "attempt to connect " + (stream == null ? address : stream);
        }
    }
}
