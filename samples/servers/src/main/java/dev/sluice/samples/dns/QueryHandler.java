package dev.sluice.samples.dns;

import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives one query at each call, and answers it. Used by several threads concurrently. */
final class QueryHandler implements EventHandler {

    private static final Logger LOG = LoggerFactory.getLogger(QueryHandler.class);
    /** Maximum length of a query. */
    private static final int BUFFER_SIZE = 4096;
    /** Between two attempts while the system lacks memory. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** The memory of a thread for a query: the paper's Thread-Specific Storage. */
    private static final class Workspace {
        private final ByteBuffer query = ByteBuffer.allocateDirect(BUFFER_SIZE);
        private final ByteBuffer reply = ByteBuffer.allocateDirect(Responder.LONGEST_REPLY);
        private final PeerAddress client = new PeerAddress();
    }

    private final LeaderFollowersPool pool;
    private final SocketDatagram socket;
    private final Responder responder;
    private final QueryCounts counts;
    private final Consumer<Throwable> failed;
    private final ThreadLocal<Workspace> workspaces = ThreadLocal.withInitial(Workspace::new);
    /** Whether a timer makes the next attempt. */
    private final AtomicBoolean paused = new AtomicBoolean();
    /** Whether that has been logged since the last query. */
    private volatile boolean pausedByShortage;

    QueryHandler(LeaderFollowersPool pool, SocketDatagram socket, Responder responder, QueryCounts counts,
            Consumer<Throwable> failed) {
        this.pool = pool;
        this.socket = socket;
        this.responder = responder;
        this.counts = counts;
        this.failed = failed;
    }

    @Override
    public boolean isConcurrent() {
        return true;
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        Workspace own = workspaces.get();
        int length = receive(registration, own);
        if (length == SocketDatagram.NONE) {
            return;
        }
        if (pausedByShortage) {
            pausedByShortage = false;
        }
        // Not earlier: the next leader would detect this query as well.
        pool.promoteNewLeader();
        if (responder.respond(own.query.flip(), length > BUFFER_SIZE, own.reply.clear())) {
            send(own);
        }
    }

    private int receive(Registration registration, Workspace own) throws IOException {
        try {
            return socket.receive(own.query.clear(), own.client);
        } catch (SystemCallException e) {
            switch (ErrorScope.ofReceive(e)) {
                // An earlier reply reached no socket, which Windows reports here. The socket stays usable.
                case PEER -> LOG.debug("{}", socket, e);
                case TEMPORARY -> pause(registration, e);
                default -> throw e;
            }
            return SocketDatagram.NONE;
        }
    }

    /** Pauses the registration: the socket stays ready, and all threads would be busy with failing calls. */
    private void pause(Registration registration, SystemCallException shortage) {
        if (!paused.compareAndSet(false, true)) {
            return;
        }
        if (!pausedByShortage) {
            pausedByShortage = true;
            LOG.warn("{}: receiving is paused: {}", socket, shortage.getMessage());
        }
        registration.pause();
        pool.schedule(token -> resume(registration), null, PAUSE);
    }

    private void resume(Registration registration) {
        registration.resume();
        // Not earlier: a thread that pauses again in between would be overridden.
        paused.set(false);
    }

    private void send(Workspace own) throws IOException {
        boolean sent = false;
        try {
            sent = socket.send(own.reply.flip(), own.client);
        } catch (SystemCallException e) {
            if (ErrorScope.ofSend(e) == ErrorScope.SOCKET) {
                throw e;
            }
            // The source address of a query may be forged.
            LOG.debug("{}", socket, e);
        }
        if (!sent) {
            counts.unsent.increment();
        }
    }

    /** No query would be received any more. */
    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        EventHandler.super.handleFailure(registration, cause);
        failed.accept(cause);
    }

    /** {@return for example {@code name server on udp 127.0.0.1:53}} */
    @Override
    public String toString() {
        return "name server on " + socket.handle();
    }
}
