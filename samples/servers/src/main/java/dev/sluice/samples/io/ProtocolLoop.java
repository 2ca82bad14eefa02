package dev.sluice.samples.io;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.samples.conversation.FailedFilterException;
import dev.sluice.samples.io.Protocol.ProtocolHandlers;
import dev.sluice.samples.server.Connections;
import dev.sluice.timer.TimeoutHandler;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shared state of the connections of one event loop of any kind. For all threads that serve them. */
class ProtocolLoop implements TimeoutHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProtocolLoop.class);

    /** What the log's format has for what is not known. */
    private static final String UNKNOWN = "-";

    private final Protocol protocol;
    private final FileIo fileIo;
    private final Connections connections;
    private final EventLoop loop;
    private final AccessLog.Lines log;
    private final ProtocolHandlers handlers;

    /** For the connections of a loop; the log may be null, and so may the way of files, if the protocol says it. */
    ProtocolLoop(Protocol protocol, AccessLog log, FileIo fileIo, Connections connections, EventLoop loop) {
        this.protocol = protocol;
        this.fileIo = fileIo;
        this.connections = connections;
        this.loop = loop;
        this.log = log == null ? null : log.newLines();
        this.handlers = protocol.handlers(this.log);
        scheduleSweep();
    }

    /** The next one only: the interval depends on timeouts that may be replaced. */
    private void scheduleSweep() {
        loop.schedule(this, null, protocol.timeouts().sweepInterval());
    }

    final ProtocolHandler newHandler(SocketStream peer) throws IOException {
        ProtocolHandler handler = handlers.begin(peer, log == null ? null : address(peer));
        handler.sendsTo(peer);
        if (fileIo != null) {
            handler.alwaysBy(fileIo);
        }
        return handler;
    }

    private static String address(SocketStream peer) throws IOException {
        try {
            return ((InetSocketAddress) peer.remoteAddress()).getAddress().getHostAddress();
        } catch (SystemCallException e) {
            // The connection was broken before it was accepted; the next receive fails, too.
            LOG.debug("{}", peer, e);
            return UNKNOWN;
        }
    }

    final Connections connections() {
        return connections;
    }

    final void logFailure(Handle connection, Throwable cause) {
        if (cause instanceof EOFException || cause instanceof FailedFilterException) {
            LOG.warn("{}", cause.getMessage());
        } else if (cause instanceof PipelineLimitException) {
            LOG.warn("{}: {}", connection, cause.getMessage());
        } else if (cause instanceof SystemCallException || cause instanceof ClosedChannelException) {
            // Peers often break connections: logged only for debugging.
            LOG.debug("{}", connection, cause);
        } else {
            LOG.warn("{}", connection, cause);
        }
    }

    @Override
    public final void handleTimeout(Object token) {
        scheduleSweep();
        try {
            connections.expire();
        } finally {
            if (log != null) {
                log.flush();
            }
        }
    }
}
