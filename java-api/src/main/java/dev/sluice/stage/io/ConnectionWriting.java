package dev.sluice.stage.io;

import dev.sluice.stage.EventQueue;
import dev.sluice.stage.Outcome;
import dev.sluice.stage.Preparation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The outgoing side of a connection: a bounded queue, of which one send at a time takes as many small packets as fit.
 * While something is being sent it holds a place in the write stage's queue, so that the graph is not at rest.
 */
final class ConnectionWriting extends SocketRequest {

    /** The most packets that are gathered into one send. */
    private static final int MOST_GATHERED = 16;
    /** So many bytes need no others beside them. */
    private static final int ENOUGH_BYTES = 64 * 1024;

    private static final int PACKETS_SHIFT = 40;
    private static final long BYTES_MASK = (1L << PACKETS_SHIFT) - 1;

    private final AsyncConnection connection;
    private final int mostPackets;
    private final int mostBytes;
    private final Queue<OutgoingPacket> outgoing = new ConcurrentLinkedQueue<>();
    /** The packets that wait, are being sent, or have not been told of, and their bytes, in one number. */
    private final AtomicLong used = new AtomicLong();
    private final AtomicBoolean overrun = new AtomicBoolean();
    private volatile boolean closing;
    /** For how many nanoseconds the end of the peer is waited for then; set before it is closing. */
    private volatile long linger;
    private final EndOfSend endOfSend = new EndOfSend();

    // Of the stage's thread

    private final ByteBuffer[] gathered = new ByteBuffer[MOST_GATHERED];
    private final Deque<OutgoingPacket> inFlight = new ArrayDeque<>();
    private final Deque<OutgoingPacket> done = new ArrayDeque<>();
    /** A place in the stage's queue while the peer is waited for; null before that. */
    private Preparation<SocketRequest> lingering;

    ConnectionWriting(AsyncConnection connection) {
        super(connection.sockets());
        this.connection = connection;
        mostPackets = connection.sockets().options().outgoingPackets();
        mostBytes = connection.sockets().options().outgoingBytes();
    }

    @Override
    EventQueue<SocketRequest> queue() {
        return sockets().writing().queue();
    }

    int packets() {
        return (int) (used.get() >>> PACKETS_SHIFT);
    }

    /** Called by any thread. */
    Outcome add(OutgoingPacket packet) {
        long weight = weight(packet);
        long before;
        do {
            before = used.get();
            long bytes = (before & BYTES_MASK) + packet.size();
            long count = before >>> PACKETS_SHIFT;
            if (closing) {
                return Outcome.CLOSED;
            }
            // A single one may be larger, or it could never be sent.
            if (count > 0 && (count >= mostPackets || bytes > mostBytes)) {
                if (overrun.compareAndSet(false, true)) {
                    connection.reading().add(new OutgoingOverrun(connection));
                }
                return Outcome.FULL;
            }
        } while (!used.compareAndSet(before, before + weight));
        outgoing.add(packet);
        signal();
        return Outcome.ACCEPTED;
    }

    private static long weight(OutgoingPacket packet) {
        return (1L << PACKETS_SHIFT) + packet.size();
    }

    /** Called by any thread. */
    void closeAtTheEnd(long lingerNanos) {
        if (!closing) {
            linger = lingerNanos;
            closing = true;
        }
        signal();
    }

    /** The send is over. Called by the proactor. */
    void sent(IOException cause) {
        endOfSend.over(cause);
    }

    @Override
    void serve() {
        tell();
        if (!inFlight.isEmpty()) {
            return;
        }
        if (!connection.isOpen()) {
            drop();
            tell();
            endOfLinger();
            return;
        }
        gather();
        if (inFlight.isEmpty() && closing && outgoing.isEmpty()) {
            allSent();
        }
    }

    private void allSent() {
        if (linger == 0) {
            connection.close();
        } else if (lingering == null) {
            // Meanwhile the graph is not at rest.
            lingering = queue().prepare(this);
            connection.linger(linger);
        }
    }

    private void endOfLinger() {
        if (lingering != null) {
            lingering.close();
        }
    }

    private void gather() {
        int count = 0;
        long bytes = 0;
        while (count < MOST_GATHERED && bytes < ENOUGH_BYTES) {
            OutgoingPacket packet = outgoing.poll();
            if (packet == null) {
                break;
            }
            inFlight.add(packet);
            if (packet.bytes().hasRemaining()) {
                gathered[count++] = packet.bytes();
                bytes += packet.bytes().remaining();
            }
        }
        if (count > 0) {
            endOfSend.begin();
            connection.async().send(gathered, 0, count, null);
        } else if (!inFlight.isEmpty()) {
            // Nothing but empty ones.
            ended(null);
        }
    }

    /** What was in flight has been sent, or never will be. */
    private void ended(IOException cause) {
        for (OutgoingPacket packet = inFlight.poll(); packet != null; packet = inFlight.poll()) {
            packet.setCause(cause);
            done.add(packet);
        }
        if (cause != null) {
            connection.end(cause);
        }
        serve();
    }

    /** Nothing can be sent any more. */
    private void drop() {
        for (OutgoingPacket packet = outgoing.poll(); packet != null; packet = outgoing.poll()) {
            packet.setCause(new IOException(connection + " was closed before a packet was sent"));
            done.add(packet);
        }
    }

    private void tell() {
        for (OutgoingPacket packet = done.peek(); packet != null; packet = done.peek()) {
            if (packet.target() != null && !deliver(packet.target(), packet.sent(connection))) {
                return;
            }
            done.remove();
            long left = used.addAndGet(-weight(packet));
            if ((left >>> PACKETS_SHIFT) <= mostPackets / 2 && (left & BYTES_MASK) <= mostBytes / 2) {
                overrun.set(false);
            }
        }
    }

    @Override
    void fail(Throwable cause) {
        connection.end(new IOException(connection + " cannot be written to", cause));
    }

    @Override
    void abandon() {
        connection.stream().close();
    }

    @Override
    public String toString() {
        return "writing to " + connection;
    }

    /** Has the place in the queue that is reserved during a send. */
    private final class EndOfSend extends SocketRequest {

        /** Null if the stage was stopped and waits for nothing any more. */
        private Preparation<SocketRequest> place;
        private IOException cause;

        EndOfSend() {
            super(ConnectionWriting.this.sockets());
        }

        @Override
        EventQueue<SocketRequest> queue() {
            return ConnectionWriting.this.queue();
        }

        /** Called by the stage's thread, before the send is started. */
        void begin() {
            Preparation<SocketRequest> prepared = queue().prepare(this);
            place = prepared.outcome() == Outcome.ACCEPTED ? prepared : null;
        }

        /** Called by the proactor. */
        void over(IOException why) {
            cause = why;
            Preparation<SocketRequest> prepared = place;
            if (prepared != null) {
                prepared.commit();
            }
        }

        @Override
        void serve() {
            ended(cause);
        }

        @Override
        void fail(Throwable thrown) {
            ConnectionWriting.this.fail(thrown);
        }

        @Override
        void abandon() {
            ConnectionWriting.this.abandon();
        }

        @Override
        public String toString() {
            return ConnectionWriting.this.toString();
        }
    }
}
