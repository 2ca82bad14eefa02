package dev.sluice.stage.io;

import dev.sluice.stage.EventQueue;
import dev.sluice.stage.Outcome;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The outgoing side of a connection: a bounded queue, of which one send at a time takes as many small packets as fit.
 * The end of a send is announced to the write stage's queue, so that the graph is not at rest before it.
 *
 * <p>Each packet that was accepted is told of once: when its send is over, or, if there is none, when the connection
 * has been closed, or the stage has ended. What is in flight then still belongs to its send, whose end the proactor
 * tells.
 */
final class ConnectionWriting extends SocketRequest {

    /** The most packets that are gathered into one send. */
    private static final int MOST_GATHERED = 16;
    /** So many bytes need no others beside them. */
    private static final int ENOUGH_BYTES = 64 * 1024;

    private final AsyncConnection connection;
    private final OutgoingQueue outgoing;
    private final AtomicBoolean overrun = new AtomicBoolean();
    /** For how many nanoseconds the end of the peer is waited for once all is sent; set before the queue is closed. */
    private volatile long linger;
    /** Why the last send has failed; null if it has not. Written by the proactor, before {@link #sendOver}. */
    private IOException sendCause;
    /** Whether the send is over and this has not been served since. */
    private volatile boolean sendOver;

    // Of whose turn it is

    private final ByteBuffer[] gathered = new ByteBuffer[MOST_GATHERED];
    private final PacketList inFlight = new PacketList();
    /** What has come to its end, and was not told of. */
    private final PacketList done = new PacketList();
    /** What is being told of. */
    private OutgoingPacket telling;
    /** Whether the end of the peer is waited for, and announced. */
    private boolean lingering;
    /** Closes the connection when the peer is not waited for any longer; null before that. */
    private Timer lingerTimer;

    ConnectionWriting(AsyncConnection connection) {
        super(connection.sockets(), connection.sockets().writing());
        this.connection = connection;
        SocketOptions options = connection.sockets().options();
        outgoing = new OutgoingQueue(options.outgoingPackets(), options.outgoingBytes());
    }

    int packets() {
        return outgoing.packets();
    }

    /** Called by any thread. */
    Outcome add(ByteBuffer packet, Object token, EventQueue<? super SocketEvent> target) {
        Outcome outcome = outgoing.add(packet, token, target);
        if (outcome == Outcome.ACCEPTED) {
            signal();
        } else if (outcome == Outcome.FULL && overrun.compareAndSet(false, true)) {
            connection.reading().addQueueFull();
        }
        return outcome;
    }

    /** Called by any thread. */
    void closeAtTheEnd(long lingerNanos) {
        if (!outgoing.isClosed()) {
            linger = lingerNanos;
            outgoing.close();
        }
        signal();
    }

    /** The send is over. Called by the proactor. */
    void sent(IOException cause) {
        sendCause = cause;
        sendOver = true;
        try {
            signal();
        } finally {
            queue().workFinished();
        }
    }

    @Override
    void serve() {
        if (sendOver) {
            sendOver = false;
            ended(sendCause);
        }
        tell();
        if (!inFlight.isEmpty()) {
            return;
        }
        if (!connection.isOpen()) {
            drop();
            tell();
            endLinger();
            if (outgoing.packets() == 0) {
                connection.outputCompleted();
                connection.retire(this);
            }
            return;
        }
        gather();
        // What needed no send, or could not be sent, has come to its end already.
        tell();
        // The last ones may be reported later.
        if (connection.isOpen() && outgoing.isClosed() && outgoing.packets() == done.size()) {
            allSent();
        }
    }

    private void allSent() {
        if (linger == 0) {
            connection.close();
        } else if (!lingering) {
            lingering = true;
            queue().workStarted();
            beginLinger();
        }
    }

    /** Nothing is sent any more: waits for the end of the peer. */
    private void beginLinger() {
        try {
            connection.stream().shutdownOutput();
        } catch (IOException e) {
            connection.end(e);
            return;
        }
        lingerTimer = sockets().proactor().schedule(token -> connection.close(), null, Duration.ofNanos(linger));
        connection.reading().discard();
    }

    private void endLinger() {
        if (lingering) {
            lingering = false;
            queue().workFinished();
        }
        if (lingerTimer != null) {
            sockets().proactor().cancel(lingerTimer);
            lingerTimer = null;
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
            send(count);
        } else if (!inFlight.isEmpty()) {
            // Nothing but empty ones. Those that come meanwhile have signalled.
            ended(null);
        }
    }

    private void send(int count) {
        queue().workStarted();
        try {
            connection.async().send(gathered, 0, count, null);
        } catch (RuntimeException | Error e) {
            // The buffer may belong to a confined arena, for example. No completion follows.
            queue().workFinished();
            ended(new IOException("cannot send on " + connection + ": " + e.getMessage(), e));
        }
    }

    /** What was in flight has been sent, or never will be. */
    private void ended(IOException cause) {
        // An idle connection keeps no buffer alive.
        Arrays.fill(gathered, null);
        for (OutgoingPacket packet = inFlight.poll(); packet != null; packet = inFlight.poll()) {
            packet.setCause(cause);
            done.add(packet);
        }
        if (cause != null) {
            connection.end(cause);
        }
    }

    /** Nothing can be sent any more. */
    private void drop() {
        // Also if it was accepted a moment ago, but no later than now.
        outgoing.close();
        for (OutgoingPacket packet = outgoing.poll(); packet != null; packet = outgoing.poll()) {
            packet.setCause(new IOException(connection + " was closed before a packet was sent"));
            done.add(packet);
        }
    }

    private void tell() {
        for (OutgoingPacket packet = done.peek(); packet != null; packet = done.peek()) {
            telling = packet;
            boolean told = packet.target() == null || deliver(packet.target(), packet.sent(connection));
            telling = null;
            if (!told) {
                return;
            }
            makeRoom(done.poll());
        }
    }

    private void makeRoom(OutgoingPacket packet) {
        if (outgoing.release(packet)) {
            overrun.set(false);
        }
    }

    /** An application's queue that throws is not asked again, and the others are told all the same. */
    @Override
    void fail(Throwable cause) {
        connection.end(new IOException(connection + " cannot be written to", cause));
        if (telling != null) {
            telling = null;
            OutgoingPacket untold = done.poll();
            release(untold.token());
            makeRoom(untold);
            signal();
        }
    }

    @Override
    void abandon() {
        connection.stream().close();
        serve();
    }

    @Override
    public String toString() {
        return "writing to " + connection;
    }
}
