package dev.sluice.samples.dns;

import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import dev.sluice.leaderfollowers.MultipleLeadersPool;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives one query at each call, and answers it. Several threads do so at once. */
final class QueryHandler implements EventHandler {

    private static final Logger LOG = LoggerFactory.getLogger(QueryHandler.class);
    /** No query is longer. */
    private static final int ROOM = 4096;

    /** What a thread needs for a query, in memory of its own: the paper's Thread-Specific Storage. */
    private static final class Workspace {
        private final ByteBuffer query = ByteBuffer.allocateDirect(ROOM);
        private final ByteBuffer reply = ByteBuffer.allocateDirect(Responder.LONGEST_REPLY);
        private final PeerAddress client = new PeerAddress();
    }

    private final MultipleLeadersPool pool;
    private final SocketDatagram socket;
    private final Responder responder;
    private final QueryCounts counts;
    private final ThreadLocal<Workspace> workspaces = ThreadLocal.withInitial(Workspace::new);

    QueryHandler(MultipleLeadersPool pool, SocketDatagram socket, Responder responder, QueryCounts counts) {
        this.pool = pool;
        this.socket = socket;
        this.responder = responder;
        this.counts = counts;
    }

    @Override
    public Handle handle() {
        return socket.handle();
    }

    @Override
    public boolean isConcurrent() {
        return true;
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        Workspace own = workspaces.get();
        int length = receive(own);
        if (length == SocketDatagram.NONE) {
            return;
        }
        // Not before: the next leader would find this query as well.
        pool.promoteNewLeader();
        if (responder.respond(own.query.flip(), length > ROOM, own.reply.clear())) {
            send(own);
        }
    }

    private int receive(Workspace own) throws IOException {
        try {
            return socket.receive(own.query.clear(), own.client);
        } catch (SystemCallException e) {
            if (ErrorScope.ofReceive(e.error()) == ErrorScope.SOCKET) {
                throw e;
            }
            // An earlier reply met nobody, which Windows reports here. The socket goes on.
            LOG.debug("{}", socket, e);
            return SocketDatagram.NONE;
        }
    }

    private void send(Workspace own) throws IOException {
        boolean sent = false;
        try {
            sent = socket.send(own.reply.flip(), own.client);
        } catch (SystemCallException e) {
            if (ErrorScope.ofSend(e.error()) == ErrorScope.SOCKET) {
                throw e;
            }
            // A client may say that it is anywhere.
            LOG.debug("{}", socket, e);
        }
        if (!sent) {
            counts.unsent.increment();
        }
    }

    /** {@return for example {@code name server on udp 127.0.0.1:53}} */
    @Override
    public String toString() {
        return "name server on " + socket.handle();
    }
}
