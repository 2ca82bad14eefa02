package dev.sluice.samples.logging;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives records by UDP, a datagram each (RFC 5426). */
final class DatagramHandler implements EventHandler, RecordCollector.Source, Connections.Finishing {

    private static final Logger LOG = LoggerFactory.getLogger(DatagramHandler.class);
    /** Datagrams received in a row before other handlers get their turn. */
    private static final int FAIR_SHARE = 1024;

    private final Reactor reactor;
    private final SocketDatagram socket;
    private final RecordCollector collector;
    private final Connections connections;
    private final ByteBuffer buffer;
    private final int maxRecord;
    private final PeerAddress sender = new PeerAddress();
    private boolean finishing;

    DatagramHandler(Reactor reactor, SocketDatagram socket, RecordCollector collector, Connections connections,
                    ByteBuffer buffer, int maxRecord) {
        this.reactor = reactor;
        this.socket = socket;
        this.collector = collector;
        this.connections = connections;
        this.buffer = buffer;
        this.maxRecord = maxRecord;
    }

    void open() throws IOException {
        reactor.registerHandler(this, EventType.READ);
        collector.open(this);
        connections.add(this);
    }

    @Override
    public Handle handle() {
        return socket.handle();
    }

    @Override
    public void handleInput(Handle handle) {
        for (int turn = 0; turn < FAIR_SHARE && !collector.isPaused(); turn++) {
            if (!receiveOne()) {
                if (finishing) {
                    end();
                }
                return;
            }
        }
        if (!collector.isPaused()) {
            // Makes an edge-triggered set report again what is still there; harmless on the others.
            reactor.deactivateHandle(handle);
            reactor.reactivateHandle(handle);
        }
    }

    private boolean receiveOne() {
        int length;
        try {
            length = socket.receive(buffer.clear(), sender);
        } catch (IOException e) {
            // An error that an earlier datagram met: told once, and the socket goes on.
            LOG.debug("{}", socket, e);
            return socket.handle().isOpen();
        }
        if (length == SocketDatagram.NONE) {
            return false;
        }
        if (length > maxRecord || length > buffer.capacity()) {
            collector.counts().oversized++;
            collector.complain(sender, "record of " + length + " bytes is longer than the maximum, skipped");
        } else if (length > 0) {
            collector.accept(sender, buffer.array(), 0, withoutTrailer(length));
        }
        return true;
    }

    // Some clients end the datagram as they would end a line.
    private int withoutTrailer(int length) {
        byte last = buffer.get(length - 1);
        return last == '\n' || last == 0 ? length - 1 : length;
    }

    @Override
    public void pause() {
        reactor.deactivateHandle(handle());
    }

    @Override
    public void resume() {
        reactor.reactivateHandle(handle());
        if (finishing) {
            finish();
        }
    }

    @Override
    public void finish() {
        finishing = true;
        handleInput(handle());
    }

    @Override
    public void end() {
        reactor.removeHandler(this, EventType.IO);
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        collector.close(this);
        connections.remove(this);
    }
}
