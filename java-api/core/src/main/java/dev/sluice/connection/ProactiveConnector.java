package dev.sluice.connection;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Acceptor-Connector pattern's Connector on a {@link Proactor}: makes connections and begins a service on each. Any
 * number of attempts can be in progress at the same time. May be used by any thread; services are called by a thread
 * that runs the proactor.
 */
public final class ProactiveConnector {

    private static final Logger LOG = LoggerFactory.getLogger(ProactiveConnector.class);

    /** The ticket of an attempt that has failed before it could begin. */
    private static final long NONE = -1;

    private final Proactor proactor;

    /**
     * Makes a connector.
     *
     * @param proactor makes the connections, and is where the services live
     */
    public ProactiveConnector(Proactor proactor) {
        this.proactor = Objects.requireNonNull(proactor, "proactor");
    }

    /**
     * Begins to connect. Exactly one of {@link ProactiveService#open} and {@link ProactiveService#connectFailed} is
     * called later, by a thread that runs the proactor and never from within this method; but if other threads run it,
     * perhaps before this method returns.
     *
     * @param service begun on the connection
     * @param address of the peer
     * @param timeout the longest to wait for it
     * @return the ticket, for {@link #cancel}
     * @throws IllegalArgumentException if the timeout is negative, or there is no connecting to an address of this
     *                                  kind, such as a Unix domain address without a path
     * @throws IllegalStateException    if the proactor is closed
     */
    public long connect(ProactiveService service, SocketAddress address, Duration timeout) {
        Objects.requireNonNull(service, "service");
        Connector.requireConnectable(address, timeout);
        Attempt attempt = new Attempt(service, address);
        try {
            return proactor.connect(attempt, null, address, timeout);
        } catch (IOException e) {
            failLater(attempt, e);
            return NONE;
        }
    }

    private void failLater(Attempt attempt, IOException cause) {
        try {
            proactor.execute(() -> attempt.failed(cause));
        } catch (RejectedExecutionException e) {
            e.addSuppressed(cause);
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /**
     * Cancels an attempt to connect: {@link ProactiveService#connectFailed} is called with a
     * {@link CancellationException}, unless the connection has just been made. Does nothing if the attempt is over.
     *
     * @param ticket what {@link #connect} returned
     */
    public void cancel(long ticket) {
        proactor.cancel(ticket);
    }

    /** Tells the service how one attempt has ended. */
    private final class Attempt implements CompletionHandler {

        private final ProactiveService service;
        private final SocketAddress address;

        Attempt(ProactiveService service, SocketAddress address) {
            this.service = service;
            this.address = address;
        }

        @Override
        public void handleConnect(Completion completion) {
            if (completion.isSuccess()) {
                connected(Objects.requireNonNull(completion.stream()));
            } else if (completion.isFailure()) {
                failed(Objects.requireNonNull(completion.error()));
            } else {
                failed(proactor.isOpen() ? new CancellationException("connect " + address + ": cancelled")
                        : new IOException("connect " + address + ": the proactor was closed before the connection"
                                + " stood"));
            }
        }

        private void connected(SocketStream stream) {
            try {
                service.open(proactor, stream);
            } catch (Throwable e) {
                try {
                    stream.close();
                } finally {
                    HookFailure.log(LOG, this, stream, e);
                }
            }
        }

        void failed(Exception cause) {
            try {
                service.connectFailed(proactor, address, cause);
            } catch (Throwable e) {
                HookFailure.logUndelivered(service, cause, e);
            }
        }

        @Override
        public String toString() {
            return "attempt to connect " + address;
        }
    }
}
