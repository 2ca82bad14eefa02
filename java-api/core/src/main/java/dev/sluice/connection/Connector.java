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
 * in progress concurrently. May be called from any thread; hooks are called by the threads of the dispatcher, those of
 * different service handlers possibly concurrently if there are several threads.
 */
public final class Connector {

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    private Connector() {
    }

    /**
     * Connects a service handler without blocking: {@link ServiceHandler#open()} is called when the connection is
     * established, or else {@link ServiceHandler#connectFailed} and {@link ServiceHandler#closed()}, always by a
     * dispatching thread and, if that is the caller's loop thread, never before this method has returned. Data that is
     * sent in the meantime is queued. {@link ServiceHandler#close()} cancels the attempt.
     *
     * @param dispatcher the dispatcher of the attempt and of the service handler
     * @param address    the address of the peer
     * @param timeout    the maximum time to wait for the connection
     * @param handler    the service handler, which must not be connected
     * @param <S>        the type of the service handler
     * @return the service handler
     * @throws IllegalArgumentException if the timeout is negative, or the address is of a type that cannot be connected
     *                                  to, such as a Unix domain address without a path
     * @throws IllegalStateException    if the dispatcher is closed, or the handler is connected
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
     * when the dispatcher is closed. Several threads may detect these concurrently: the first one sets the outcome and
     * ends the registration, and the end of the registration notifies the service handler.
     */
    private static final class Pending implements EventHandler, TimeoutHandler {

        /** The outcome of a successful attempt. */
        private static final Object CONNECTED = new Object();

        private final Dispatcher dispatcher;
        private final ServiceHandler handler;
        private final SocketAddress address;
        private final Duration timeout;
        /** The outcome: the failure or {@link #CONNECTED}; null while the attempt is in progress. */
        private final AtomicReference<Object> outcome = new AtomicReference<>();
        /** The socket; null until the attempt has begun. */
        private volatile @Nullable SocketStream stream;
        /** The registration; null until the attempt waits for the connection. */
        private volatile @Nullable Registration registration;
        private @Nullable Timer timer;

        Pending(Dispatcher dispatcher, ServiceHandler handler, SocketAddress address, Duration timeout) {
            this.dispatcher = dispatcher;
            this.handler = handler;
            this.address = address;
            this.timeout = timeout;
        }

        void begin() {
            // If another thread has already cancelled it, there is an outcome.
            if (outcome.get() != null || !initiate()) {
                finish();
            } else if (outcome.get() != null) {
                // It has timed out or been cancelled before the registration was stored.
                endRegistration();
            }
        }

        /** Initiates the attempt. Returns whether it is in progress and registered. */
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

        /** Cancels the attempt. Called by any thread. */
        void cancelLater() {
            try {
                dispatcher.execute(this::cancel);
            } catch (RejectedExecutionException e) {
                // The dispatcher is closed, which ends the attempt.
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

        /** Ends the registration, if it has been stored; otherwise {@link #begin()} ends it. */
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

        // Called at the end of each registration, so the service handler is notified exactly once.
        @Override
        public void handleClose(Registration ended) {
            try {
                if (timer != null) {
                    timer.cancel();
                }
                decide(new IOException("the dispatcher was closed before the connection was established"));
            } catch (Throwable e) {
                // There may be no memory for the exception.
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

        /** {@return the socket of an attempt that has begun} */
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
