package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.message.Message;
import dev.sluice.stage.Outcome;
import dev.sluice.stage.io.AsyncConnection;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What waits for one neighbour: messages that are gathered into packets, and packets that are to be sent. The paper's
 * threshold on the outgoing queue of a socket (5.2.2) is here. Used by any thread; the lock is held for a few copies.
 */
final class Outbox {

    /** The most packets that wait: each has a price of its own, however small it is. */
    static final int MOST_PACKETS = 512;
    /** What a connection takes beyond the threshold, so that a goodbye finds room: 1 KiB, and a packet. */
    static final int FAREWELL_BYTES = 1024;

    /** A packet that is larger leaves at once: 16 KiB. */
    private static final int ENOUGH = 16 * 1024;
    private static final int FIRST_ROOM = 256;

    private final AsyncConnection connection;
    private final int mostBytes;
    /** Messages that have not been made a packet; null if there are none. */
    private ByteBuffer gathered;
    /** The sizes of the packets that may not have been sent, the eldest first. */
    private final Deque<Integer> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean closed;

    Outbox(AsyncConnection connection, int mostBytes) {
        this.connection = connection;
        this.mostBytes = mostBytes;
    }

    /** What became of a message that was to be gathered. */
    enum Gathering {
        /** It is the first one: somebody has to flush. */
        FIRST,
        /** It is there, with others. */
        ANOTHER,
        /** There is no room: the neighbour does not read. */
        OVERRUN,
        /** The outbox is closed. */
        CLOSED
    }

    /**
     * Adds a message, to be sent with others.
     *
     * @param message stays as it is
     * @param ttl     that it is to have, one hop further; 0 to send it as it is
     * @return what became of it
     */
    synchronized Gathering add(Message message, int ttl) {
        if (closed) {
            return Gathering.CLOSED;
        }
        Gathering result = gathered == null ? Gathering.FIRST : Gathering.ANOTHER;
        makeRoom(message.size());
        if (ttl == 0) {
            message.send(gathered);
        } else {
            message.sendOn(ttl, gathered);
        }
        return gathered.position() < ENOUGH || flush() ? result : Gathering.OVERRUN;
    }

    private void makeRoom(int size) {
        if (gathered == null) {
            gathered = ByteBuffer.allocate(Math.max(FIRST_ROOM, size));
        } else if (gathered.remaining() < size) {
            int needed = gathered.position() + size;
            gathered = ByteBuffer.allocate(Math.max(needed, 2 * gathered.capacity())).put(gathered.flip());
        }
    }

    /**
     * Sends what was added.
     *
     * @return whether there was room for it
     */
    synchronized boolean flush() {
        if (gathered == null || closed) {
            return true;
        }
        ByteBuffer packet = gathered.flip();
        gathered = null;
        int size = packet.remaining();
        forgetSent();
        if (!waiting.isEmpty() && (waiting.size() >= MOST_PACKETS || waitingBytes + size > mostBytes)) {
            return false;
        }
        send(packet);
        return true;
    }

    private void send(ByteBuffer packet) {
        int size = packet.remaining();
        if (connection.send(packet) == Outcome.ACCEPTED) {
            waiting.add(size);
            waitingBytes += size;
        }
    }

    /** The connection sends in order, so those that it still has are the latest. */
    private void forgetSent() {
        int unsent = connection.outgoing();
        while (waiting.size() > unsent) {
            waitingBytes -= waiting.remove();
        }
    }

    /**
     * Takes no more, and has the connection be closed once everything has been sent.
     *
     * @param bye the last message, which finds room; null for none
     */
    synchronized void close(Message bye) {
        if (closed) {
            return;
        }
        flush();
        closed = true;
        if (bye != null) {
            ByteBuffer last = ByteBuffer.allocate(bye.size());
            bye.send(last);
            connection.send(last.flip());
        }
        connection.closeAfterSending();
    }
}
