package dev.sluice.samples.logging;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.DatagramBatch;
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

/**
 * Receives records by UDP, a datagram each (RFC 5426). Each is stored, or counted among those that are no records or
 * that the system has dropped.
 */
final class DatagramHandler implements EventHandler, RecordCollector.Source, Connections.Finishing {

    private static final Logger LOG = LoggerFactory.getLogger(DatagramHandler.class);
    private static final int BATCH = 32;
    /** Batches received in a row before other handlers get their turn. */
    private static final int FAIR_SHARE = 32;
    /** As many as one may wait for to be counted when it is too late to store them. */
    private static final int MOST_BATCHES_LEFT = 4096;
    /** More than any datagram has. */
    private static final int ROOM = 64 * 1024;

    private final Reactor reactor;
    private final SocketDatagram socket;
    private final RecordCollector collector;
    private final Connections connections;
    private final int maxRecord;
    private final DatagramBatch batch;
    private final DropReport drops;
    private final byte[] record = new byte[ROOM];
    private final PeerAddress sender = new PeerAddress();
    /** The next of the batch. Those from there on wait for room in the writer's queue. */
    private int next;
    private boolean finishing;

    DatagramHandler(Reactor reactor, SocketDatagram socket, RecordCollector collector, Connections connections,
                    int maxRecord) throws IOException {
        this.reactor = reactor;
        this.socket = socket;
        this.collector = collector;
        this.connections = connections;
        this.maxRecord = maxRecord;
        this.batch = new DatagramBatch(socket, BATCH, ROOM);
        this.drops = new DropReport(reactor, socket, batch, collector.counts());
    }

    void open() throws IOException {
        try {
            reactor.registerHandler(this, EventType.READ);
        } catch (Throwable e) {
            batch.close();
            throw e;
        }
        collector.open(this);
        connections.add(this);
    }

    @Override
    public Handle handle() {
        return socket.handle();
    }

    @Override
    public void handleInput(Handle handle) {
        boolean more = true;
        for (int turn = 0; turn < FAIR_SHARE && more && acceptReceived(); turn++) {
            more = receive();
            drops.received();
        }
        if (acceptReceived() && !more && finishing) {
            end();
        }
    }

    /** {@return whether more may wait} */
    private boolean receive() {
        next = 0;
        try {
            return batch.receive() == BATCH;
        } catch (IOException e) {
            // An error that an earlier datagram met: told once, and the socket goes on.
            LOG.debug("{}", socket, e);
            return socket.handle().isOpen();
        }
    }

    /** {@return whether there was room for all of them} */
    private boolean acceptReceived() {
        while (next < batch.count() && !collector.isPaused()) {
            accept(next++);
        }
        return !collector.isPaused();
    }

    private void accept(int index) {
        int length = batch.length(index);
        if (length > maxRecord || length > ROOM) {
            batch.sender(index, sender);
            collector.counts().oversized++;
            collector.complain(sender, "record of " + length + " bytes is longer than the maximum, skipped");
        } else {
            batch.sender(index, sender);
            ByteBuffer datagram = batch.datagram(index);
            datagram.get(record, 0, length);
            collector.accept(sender, record, 0, withoutTrailer(length));
        }
    }

    // Some clients end the datagram as they would end a line.
    private int withoutTrailer(int length) {
        if (length == 0) {
            return 0;
        }
        byte last = record[length - 1];
        return last == '\n' || last == 0 ? length - 1 : length;
    }

    @Override
    public void pause() {
        reactor.deactivateHandle(handle());
    }

    @Override
    public void resume() {
        reactor.reactivateHandle(handle());
        // What has been received already is not reported again.
        if (finishing || next < batch.count()) {
            handleInput(handle());
        }
    }

    @Override
    public void finish() {
        finishing = true;
        handleInput(handle());
    }

    @Override
    public void end() {
        reactor.removeHandler(this);
    }

    /** {@return how many datagrams are left to nobody, of which there are some only if the writer has been too slow} */
    private long countTheRest() {
        long left = batch.count() - next;
        boolean more = handle().isOpen();
        for (int turn = 0; turn < MOST_BATCHES_LEFT && more; turn++) {
            more = receive();
            left += batch.count();
        }
        return left;
    }

    @Override
    public void handleClose(Handle handle, int events) {
        drops.finish(countTheRest());
        batch.close();
        handle.close();
        collector.close(this);
        connections.remove(this);
    }
}
