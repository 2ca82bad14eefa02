package dev.sluice.samples.web;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.samples.server.Connections;
import dev.sluice.timer.TimeoutHandler;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the connections of one event loop share, of whichever kind it is. For its loop thread. */
class WebLoop implements TimeoutHandler {

    private static final Logger LOG = LoggerFactory.getLogger(WebLoop.class);

    private final WebService service;
    private final Connections connections;
    private final AccessLog.Lines log;
    private final DeadlineSweep deadlines = new DeadlineSweep();

    WebLoop(WebService service, Connections connections, EventLoop loop) {
        this.service = service;
        this.connections = connections;
        this.log = service.log() == null ? null : service.log().newLines();
        Duration interval = service.timeouts().sweepInterval();
        loop.schedule(this, null, interval, interval);
    }

    final FileIo fileIo() {
        return service.fileIo();
    }

    final HttpConnection newConnection(SocketStream peer) throws IOException {
        String client = log == null ? null
                : ((InetSocketAddress) peer.remoteAddress()).getAddress().getHostAddress();
        return new HttpConnection(service, log, client);
    }

    final <T extends Connections.Finishing & DeadlineSweep.Expiring> void add(T handler) {
        deadlines.add(handler);
        connections.add(handler);
    }

    final <T extends Connections.Finishing & DeadlineSweep.Expiring> void remove(T handler) {
        deadlines.remove(handler);
        connections.remove(handler);
    }

    final void logFailure(Handle connection, Throwable cause) {
        if (cause instanceof EOFException) {
            LOG.warn("{}", cause.getMessage());
        } else if (cause instanceof SystemCallException) {
            // Peers break connections all the time; it is news only to who looks for it.
            LOG.debug("{}", connection, cause);
        } else {
            LOG.warn("{}", connection, cause);
        }
    }

    @Override
    public final void handleTimeout(Object token) {
        deadlines.sweep();
        if (log != null) {
            log.flush();
        }
    }
}
