package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.message.Message;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.io.AsyncConnection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The output for one neighbour: messages that are gathered into packets, and packets to be sent. Applies the paper's
 * threshold on the outgoing queue of a socket (5.2.2). Used by any thread; the lock is held for a few copies.
 *
 * <p>A neighbour is behind from the moment when there is no space for a message until no more than half of the
 * threshold is queued. While it takes bytes, a sender should wait for space, but not for long.
 */
final class Outbox {

    /** The maximum number of queued packets: each has a cost of its own, however small it is. */
    static final int MAX_PACKETS = 512;
    /** Capacity of a connection beyond the threshold, so that there is space for a goodbye: 1 KiB, and a packet. */
    static final int FAREWELL_BYTES = 1024;

    /** Time that a closed neighbour has to receive the bytes still held by the system, and to close its side. */
    static final Duration LINGER = Duration.ofSeconds(2);

    /** A packet of this size is sent immediately: 16 KiB. */
    private static final int ENOUGH = 16 * 1024;
    private static final int INITIAL_CAPACITY = 256;
    /** A neighbour that takes nothing is not waited for longer than this part of the tolerance: all others wait too. */
    private static final int STALLED_PART = 50;
    /** Nor is one for longer than this part that stays behind, although it takes something. */
    private static final int WAITED_PART = 5;

    private final AsyncConnection connection;
    private final int maxBytes;
    private final long tolerance;
    /** Messages that have not been made a packet; null if there are none. */
    private ByteBuffer gathered;
    /** The sizes of the packets that may not have been sent, the eldest first. */
    private final Deque<Integer> waiting = new ArrayDeque<>();
    private long waitingBytes;
    /** When the neighbour was last seen to take something, or had nothing to take, by {@link System#nanoTime()}. */
    private long taken = System.nanoTime();
    private boolean behind;
    /** Since when, by {@link System#nanoTime()}; if it is behind. */
    private long behindSince;
    /** For how many bytes there was no room; if it is behind. */
    private int wanted;
    private boolean closed;

    /**
     * Begins empty.
     *
     * @param connection to send on
     * @param maxBytes  the threshold
     * @param tolerance  for how many nanoseconds the neighbour may be behind
     */
    Outbox(AsyncConnection connection, int maxBytes, long tolerance) {
        this.connection = connection;
        this.maxBytes = maxBytes;
        this.tolerance = tolerance;
    }

    /** The result of adding a message. */
    enum Gathering {
        /** It is the first one: the caller must flush. */
        FIRST,
        /** It has been added to others. */
        ANOTHER,
        /** There is no space: the neighbour is behind. */
        FULL,
        /** The outbox is closed. */
        CLOSED
    }

    /** {@return how long one that stays behind is waited for, although it takes something} */
    static long longestWait(long tolerance) {
        return tolerance / WAITED_PART;
    }

    /** What to do about a neighbour that may be behind. */
    enum Pace {
        /** It has caught up: nothing. */
        IN_STEP,
        /** It is to be waited for. */
        BEHIND,
        /** It takes too little to wait for it: messages for it are dropped. */
        STALLED,
        /** It has been behind for too long: it is to be closed. */
        TOO_SLOW
    }

    /**
     * Adds a message, to be sent with others.
     *
     * @param message stays as it is
     * @param ttl     that it is to have, one hop further; 0 to send it as it is
     * @return the result
     */
    synchronized Gathering add(Message message, int ttl) {
        if (closed) {
            return Gathering.CLOSED;
        }
        if (!hasSpace(message.size())) {
            // Otherwise nothing of it would ever be sent.
            flush();
            beginToBeBehind(message.size());
            return Gathering.FULL;
        }
        Gathering result = gathered == null ? Gathering.FIRST : Gathering.ANOTHER;
        ensureSpace(message.size());
        if (ttl == 0) {
            message.send(gathered);
        } else {
            message.sendOn(ttl, gathered);
        }
        if (gathered.position() >= ENOUGH) {
            flush();
        }
        return result;
    }

    /** {@return whether there is space for this number of bytes} There always is if nothing is queued. */
    private boolean hasSpace(int size) {
        if (fits(size)) {
            return true;
        }
        forgetSent();
        return fits(size) || waiting.isEmpty() && gathered == null;
    }

    private boolean fits(int size) {
        long bytes = waitingBytes + (gathered == null ? 0 : gathered.position()) + size;
        return bytes <= maxBytes && waiting.size() < MAX_PACKETS;
    }

    private void beginToBeBehind(int size) {
        if (!behind) {
            behind = true;
            behindSince = System.nanoTime();
            wanted = 0;
        }
        wanted = Math.max(wanted, size);
    }

    /** {@return what is to be done about the neighbour now} */
    synchronized Pace pace() {
        forgetSent();
        if (closed || !behind) {
            return Pace.IN_STEP;
        }
        long now = System.nanoTime();
        if (now - behindSince > tolerance) {
            return Pace.TOO_SLOW;
        }
        return now - taken > tolerance / STALLED_PART || now - behindSince > longestWait(tolerance)
                ? Pace.STALLED : Pace.BEHIND;
    }

    private void ensureSpace(int size) {
        if (gathered == null) {
            gathered = ByteBuffer.allocate(Math.max(INITIAL_CAPACITY, size));
        } else if (gathered.remaining() < size) {
            int needed = gathered.position() + size;
            // No larger than it will be used: many of them wait.
            int capacity = Math.max(needed, Math.min(2 * gathered.capacity(), ENOUGH));
            gathered = ByteBuffer.allocate(capacity).put(gathered.flip());
        }
    }

    /** Sends what was added. */
    synchronized void flush() {
        if (gathered == null || closed) {
            return;
        }
        ByteBuffer packet = gathered.flip();
        gathered = null;
        forgetSent();
        send(packet);
    }

    private void send(ByteBuffer packet) {
        int size = packet.remaining();
        if (connection.send(packet) == EnqueueResult.ACCEPTED) {
            waiting.add(size);
            waitingBytes += size;
        }
    }

    /** The connection sends in order, so those that it still has are the latest. */
    private void forgetSent() {
        int unsent = connection.outgoing();
        if (waiting.isEmpty() || waiting.size() > unsent) {
            taken = System.nanoTime();
        }
        while (waiting.size() > unsent) {
            waitingBytes -= waiting.remove();
        }
        if (waiting.isEmpty() || waitingBytes <= Math.min(maxBytes / 2, maxBytes - wanted)
                && waiting.size() <= MAX_PACKETS / 2) {
            behind = false;
        }
    }

    /**
     * Accepts no more messages, and closes the connection once everything has been sent.
     *
     * @param bye the last message, for which there is space; null for none
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
        connection.closeAfterSending(LINGER);
    }
}
