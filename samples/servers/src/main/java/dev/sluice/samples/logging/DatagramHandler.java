package dev.sluice.samples.logging;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.DatagramBatch;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives records by UDP, a datagram each (RFC 5426). Each that has come into the socket is stored, or counted among
 * those that are no records, that the system has dropped, or that came too late.
 */
final class DatagramHandler implements EventHandler, RecordCollector.Source, Connections.Finishing {

    private static final Logger LOG = LoggerFactory.getLogger(DatagramHandler.class);
    private static final int BATCH = 32;
    /** Batches received in a row before other handlers get their turn. */
    private static final int FAIR_SHARE = 32;
    /** Batches counted at most when it is too late to store them, if further datagrams may come in meanwhile. */
    private static final int MAX_BATCHES_LEFT = 4096;
    /** Between two attempts while the system lacks memory. */
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** More than any datagram has. */
    private static final int MAX_DATAGRAM_SIZE = 64 * 1024;

    private final Reactor reactor;
    private final SocketDatagram socket;
    private final RecordCollector collector;
    private final Connections connections;
    private final int maxRecord;
    private final DatagramBatch batch;
    private final DropReport drops;
    private final byte[] record = new byte[MAX_DATAGRAM_SIZE];
    private final PeerAddress sender = new PeerAddress();
    /** The next of the batch. Those from there on wait for space in the writer's queue. */
    private int next;
    private Registration registration;
    private boolean finishing;
    /** Whether nothing comes in any more. */
    private boolean sealed;
    /** Whether the last receive has failed, and a timer makes the next attempt. */
    private boolean pausedByShortage;

    DatagramHandler(Reactor reactor, SocketDatagram socket, RecordCollector collector, Connections connections,
                    int maxRecord) throws IOException {
        this.reactor = reactor;
        this.socket = socket;
        this.collector = collector;
        this.connections = connections;
        this.maxRecord = maxRecord;
        this.batch = new DatagramBatch(socket, BATCH, MAX_DATAGRAM_SIZE);
        this.drops = new DropReport(reactor, socket, batch, collector.counts());
    }

    void open() throws IOException {
        try {
            registration = reactor.register(socket.handle(), Interest.READ, this);
        } catch (Throwable e) {
            batch.close();
            throw e;
        }
        collector.open(this);
        connections.add(this);
    }

    @Override
    public void handleInput(Registration ready) throws IOException {
        receiveAndAccept();
    }

    private void receiveAndAccept() throws IOException {
        boolean more = true;
        for (int iteration = 0; iteration < FAIR_SHARE && more && acceptReceived(); iteration++) {
            more = receiveOrPause();
            drops.received();
        }
        if (acceptReceived() && !more && !pausedByShortage && finishing) {
            end();
        }
    }

    /** {@return whether more may wait that can be received now} */
    private boolean receiveOrPause() throws IOException {
        try {
            boolean more = receive();
            pausedByShortage = false;
            return more;
        } catch (SystemCallException e) {
            if (ErrorScope.ofReceive(e) == ErrorScope.SOCKET) {
                throw e;
            }
            if (!pausedByShortage) {
                pausedByShortage = true;
                LOG.warn("{}: receiving is paused: {}", socket, e.getMessage());
            }
            registration.pause();
            reactor.schedule(token -> tryAgain(), null, PAUSE);
            return false;
        }
    }

    /** {@return whether more may wait} */
    private boolean receive() throws IOException {
        next = 0;
        try {
            return batch.receive() == BATCH;
        } catch (SystemCallException e) {
            if (ErrorScope.ofReceive(e) != ErrorScope.PEER) {
                throw e;
            }
            // An error that an earlier datagram met: reported once, and the socket goes on.
            LOG.debug("{}", socket, e);
            return true;
        }
    }

    private void tryAgain() {
        if (pausedByShortage && !collector.isPaused()) {
            resume();
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
        if (length > maxRecord || length > MAX_DATAGRAM_SIZE) {
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
        registration.pause();
    }

    @Override
    public void resume() {
        registration.resume();
        // What has been received already is not reported again.
        if (finishing || next < batch.count()) {
            proceed();
        }
    }

    private void proceed() {
        try {
            receiveAndAccept();
        } catch (IOException e) {
            handleFailure(registration, e);
            end();
        }
    }

    @Override
    public void finish() {
        finishing = true;
        seal();
        proceed();
    }

    /**
     * Lets in no further datagrams, which would come uncounted between the last receive and the close: a socket that is
     * connected takes those of its peer alone, and this one is its own peer. For others the port is closed from now on.
     */
    private void seal() {
        try {
            if (!sealed) {
                socket.connect(socket.localAddress());
                sealed = true;
            }
        } catch (IOException e) {
            LOG.debug("{}: datagrams may arrive until the close", socket, e);
        }
    }

    @Override
    public void end() {
        registration.close();
    }

    /**
     * {@return the number of datagrams that are left and will not be stored; more than 0 only if the writer has been
     * too slow}
     */
    private long countTheRest() {
        long left = batch.count() - next;
        try {
            boolean more = true;
            for (int iteration = 0; more && (sealed || iteration < MAX_BATCHES_LEFT); iteration++) {
                more = receive();
                left += batch.count();
            }
        } catch (IOException e) {
            LOG.warn("{}: the number of remaining datagrams is unknown: {}", socket, e.getMessage());
        }
        return left;
    }

    @Override
    public void handleClose(Registration ended) {
        seal();
        drops.finish(countTheRest());
        batch.close();
        socket.close();
        collector.close(this);
        connections.remove(this);
    }
}
