package dev.sluice.samples.web;

import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** What the connections of one reactor share. For its loop thread. */
final class ReactiveLoop implements EventHandler {

    private static final int BUFFER_SIZE = 16 * 1024;

    private final WebService service;
    private final Connections connections;
    private final AccessLog.Lines log;
    private final DeadlineSweep deadlines = new DeadlineSweep();
    private final ReplySender sender;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

    ReactiveLoop(WebService service, Connections connections, Reactor reactor) {
        this.service = service;
        this.connections = connections;
        this.log = service.log() == null ? null : service.log().newLines();
        this.sender = new ReplySender(service.fileIo());
        Duration interval = service.timeouts().sweepInterval();
        reactor.schedule(this, null, interval, interval);
    }

    HttpConnection newConnection(SocketStream peer) throws IOException {
        String client = log == null ? null
                : ((InetSocketAddress) peer.remoteAddress()).getAddress().getHostAddress();
        return new HttpConnection(service, log, client);
    }

    /** {@return the one buffer that everything is received into} */
    ByteBuffer buffer() {
        return buffer;
    }

    ReplySender sender() {
        return sender;
    }

    void add(ReactiveHandler handler) {
        deadlines.add(handler);
        connections.add(handler);
    }

    void remove(ReactiveHandler handler) {
        deadlines.remove(handler);
        connections.remove(handler);
    }

    @Override
    public void handleTimeout(Object token) {
        deadlines.sweep();
        if (log != null) {
            log.flush();
        }
    }

    @Override
    public Handle handle() {
        throw new UnsupportedOperationException("a timer has no handle");
    }
}
