package dev.sluice.connection;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.dispatch.Targets;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Acceptor-Connector pattern's Acceptor on a {@link Proactor}: accepts connections continuously and begins a
 * service on each, on its own proactor or handed out to several by a {@link Distribution}. When there are no
 * descriptors left, or accepting is forbidden, it pauses, as {@link Acceptor} does.
 *
 * <p>It owns the listening socket, and closes it when it is closed itself, when its own proactor is closed, and when
 * an error of the listening socket itself ends accepting.
 */
public final class ProactiveAcceptor implements CompletionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProactiveAcceptor.class);

    private final Proactor proactor;
    private final AsyncAcceptor acceptor;
    private final Targets<Proactor> targets;
    private final ProactiveService service;
    private boolean starved;

    /**
     * Makes an acceptor whose services live on the same proactor.
     *
     * @param proactor to accept on
     * @param acceptor the acceptor of the connections; owned by this object from now on, unless this throws
     * @param service  begun for each connection
     * @throws IOException if the acceptor is closed, or the system refuses
     */
    public ProactiveAcceptor(Proactor proactor, SocketAcceptor acceptor, ProactiveService service) throws IOException {
        this(proactor, acceptor, List.of(proactor), Distribution.roundRobin(), service);
    }

    /**
     * Makes an acceptor that hands its connections out to proactors, such as those of a
     * {@link dev.sluice.proactor.ProactorGroup}. Closed proactors, including those that have failed, are skipped; if
     * none is left, connections are closed, which is logged.
     *
     * @param proactor     to accept on
     * @param acceptor     the acceptor of the connections; owned by this object from now on, unless this throws
     * @param targets      the proactors of the services; may include the acceptor's own proactor
     * @param distribution chooses one of them for each connection; of this acceptor alone
     * @param service      begun for each connection
     * @throws IOException if the acceptor is closed, or the system refuses
     */
    public ProactiveAcceptor(Proactor proactor, SocketAcceptor acceptor, List<Proactor> targets,
                             Distribution distribution, ProactiveService service) throws IOException {
        this.proactor = Objects.requireNonNull(proactor, "proactor");
        this.targets = new Targets<>(LOG, this, proactor, targets, distribution);
        this.service = Objects.requireNonNull(service, "service");
        this.acceptor = new AsyncAcceptor(proactor, acceptor, this);
    }

    /**
     * Begins to accept. Must be called only once.
     *
     * @throws IllegalStateException if the proactor is closed; the listening socket is then closed, too
     */
    public void open() {
        try {
            acceptor.acceptContinuously(null);
        } catch (RuntimeException | Error e) {
            // Otherwise clients would wait in the backlog and never be accepted.
            acceptor.close();
            throw e;
        }
    }

    /** Stops accepting and closes the listening socket. May be called by any thread. */
    public void close() {
        acceptor.close();
    }

    @Override
    public void handleAccept(Completion completion) {
        if (completion.isSuccess()) {
            starved = false;
            accepted(Objects.requireNonNull(completion.stream()));
        } else if (completion.isFailure()) {
            failed(completion);
        } else {
            // The socket or the proactor was closed.
            acceptor.close();
        }
    }

    /** A failure costs this connection, not later ones. */
    private void accepted(SocketStream stream) {
        try {
            targets.handOut(stream, target -> service.open(target, stream));
        } catch (Throwable e) {
            targets.reject(stream, e);
        }
    }

    private void failed(Completion completion) {
        try {
            pause(Objects.requireNonNull(completion.error()));
        } catch (OutOfMemoryError e) {
            // To say so, and to come back after a pause, takes memory: to start again the same operation does not.
            MemoryShortage.pause();
            openAgain();
        }
    }

    private void openAgain() {
        if (acceptor.handle().isOpen()) {
            open();
        }
    }

    private void pause(IOException cause) {
        boolean passes = cause instanceof SystemCallException failed
                && ErrorScope.ofAccept(failed) != ErrorScope.SOCKET;
        if (!passes) {
            LOG.error("stopped accepting connections: {}", cause.getMessage());
            acceptor.close();
            return;
        }
        if (!starved) {
            LOG.warn("accepting is paused: {}", cause.getMessage());
            starved = true;
        }
        // Not a timer, since that would not come back from a proactor that is closed.
        proactor.timeout(this, null, Acceptor.PAUSE);
    }

    @Override
    public void handleOther(Completion pause) {
        if (!pause.isSuccess()) {
            acceptor.close();
        } else {
            openAgain();
        }
    }

    @Override
    public String toString() {
        return "proactive acceptor on " + acceptor;
    }
}
