package dev.sluice.stages.io;

import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing side of a connection: a bounded queue, and one send at a time, which combines small packets. The end of
 * a send is announced to the write stage's queue, so that the graph does not count as idle before it.
 *
 * <p>It is not a {@link dev.sluice.connection.OutputQueue}: that one ends a connection beyond its limit, does not track
 * a piece once it has been sent, and belongs to a stream that receives by itself. This class rejects packets beyond its
 * limit, counts a packet until its event has been enqueued, and works with receives on demand.
 *
 * <p>Each accepted packet is reported once: when its send is complete, or, if there is none, when the connection has
 * been closed or the stage has ended. A packet that is in flight then is reported when the proactor completes its send.
 */
final class ConnectionWriting extends SocketRequest {

    /** Maximum number of packets that are combined into one send. */
    private static final int MAX_GATHERED = 16;
    /** A send of at least this many bytes is not combined with further packets. */
    private static final int ENOUGH_BYTES = 64 * 1024;

    private final AsyncConnection connection;
    private final OutgoingQueue outgoing;
    private final AtomicBoolean overrun = new AtomicBoolean();
    /** Maximum wait for the peer's end of stream once all is sent, in nanoseconds; set before the queue is closed. */
    private volatile long linger;
    /** The failure of the last send; null if it succeeded. Written by the proactor, before {@link #sendOver}. */
    private @Nullable IOException sendCause;
    /** Whether the send has completed and this has not been served since. */
    private volatile boolean sendOver;

    // Accessed only by the thread that serves

    private final ByteBuffer[] gathered = new ByteBuffer[MAX_GATHERED];
    /** Whether the event of the first completed packet is being delivered. */
    private boolean notifying;
    /** Whether the peer's end of stream is awaited, and announced. */
    private boolean lingering;
    /** Closes the connection when the maximum wait has elapsed; null before the wait. */
    private @Nullable Timer lingerTimer;

    ConnectionWriting(AsyncConnection connection) {
        super(connection.sockets, connection.sockets.writing);
        this.connection = connection;
        SocketOptions options = connection.sockets.options;
        outgoing = new OutgoingQueue(options.outgoingPackets, options.outgoingBytes);
    }

    int packets() {
        return outgoing.packets();
    }

    /** Called by any thread. */
    EnqueueResult add(ByteBuffer packet, @Nullable Object token, @Nullable EventQueue<? super SocketEvent> target) {
        EnqueueResult result = outgoing.add(packet, token, target);
        if (result == EnqueueResult.ACCEPTED) {
            signal();
        } else if (result == EnqueueResult.FULL && overrun.compareAndSet(false, true)) {
            connection.reading.addQueueFull();
        }
        return result;
    }

    /** Called by any thread. */
    void closeAtTheEnd(long lingerNanos) {
        if (!outgoing.isClosed()) {
            linger = lingerNanos;
            outgoing.close();
        }
        signal();
    }

    /** Called by the proactor when the send has completed. */
    void sent(@Nullable IOException cause) {
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
        report();
        if (outgoing.isInFlight()) {
            return;
        }
        if (!connection.isOpen()) {
            drop();
            report();
            endLinger();
            if (outgoing.packets() == 0) {
                connection.outputCompleted();
                connection.retire(this);
            }
            return;
        }
        gather();
        // Packets that needed no send, or could not be sent, are complete already.
        report();
        // The last ones may be reported later.
        if (connection.isOpen() && outgoing.isClosed() && outgoing.isDone()) {
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

    /** Waits for the peer's end of stream, after everything has been sent. */
    private void beginLinger() {
        try {
            connection.stream().shutdownOutput();
        } catch (IOException e) {
            connection.end(e);
            return;
        }
        lingerTimer = sockets.proactor.schedule(token -> connection.close(), null, Duration.ofNanos(linger));
        connection.reading.discard();
    }

    private void endLinger() {
        if (lingering) {
            lingering = false;
            queue().workFinished();
        }
        if (lingerTimer != null) {
            lingerTimer.cancel();
            lingerTimer = null;
        }
    }

    private void gather() {
        int count = 0;
        long bytes = 0;
        while (count < MAX_GATHERED && bytes < ENOUGH_BYTES) {
            OutgoingPacket packet = outgoing.poll();
            if (packet == null) {
                break;
            }
            assert packet.bytes != null;
            if (packet.bytes.hasRemaining()) {
                gathered[count++] = packet.bytes;
                bytes += packet.bytes.remaining();
            }
        }
        if (count > 0) {
            send(count);
        } else if (outgoing.isInFlight()) {
            // All polled packets are empty. Packets added in the meantime have signalled this.
            ended(null);
        }
    }

    private void send(int count) {
        queue().workStarted();
        try {
            connection.async.send(gathered, 0, count, null);
        } catch (RuntimeException | Error e) {
            // The buffer may belong to a confined arena, for example. No completion follows.
            queue().workFinished();
            ended(new IOException("cannot send on " + connection + ": " + e.getMessage(), e));
        }
    }

    /** Called when the packets in flight have been sent, or will never be sent. */
    private void ended(@Nullable IOException cause) {
        // An idle connection keeps no buffer alive.
        Arrays.fill(gathered, null);
        outgoing.complete(cause);
        if (cause != null) {
            connection.end(cause);
        }
    }

    /** Discards all packets. */
    private void drop() {
        // Packets accepted just before this are discarded, too; later ones are rejected.
        outgoing.close();
        OutgoingPacket dropped;
        do {
            dropped = outgoing.poll();
        } while (dropped != null);
        if (outgoing.isInFlight()) {
            outgoing.complete(new IOException(connection + " was closed before a packet was sent"));
        }
    }

    private void report() {
        for (OutgoingPacket packet = outgoing.firstDone(); packet != null; packet = outgoing.firstDone()) {
            notifying = true;
            boolean reported = packet.target == null
                    || deliver(packet.target, new PacketSent(connection, packet.token, packet.cause));
            notifying = false;
            if (!reported) {
                return;
            }
            freeSpace();
        }
    }

    private void freeSpace() {
        if (outgoing.release()) {
            overrun.set(false);
        }
    }

    /**
     * Called if the application's queue throws: it is not called again for that packet; the other packets are still
     * reported.
     */
    @Override
    void fail(Throwable cause) {
        connection.end(new IOException(connection + " cannot be written to", cause));
        if (notifying) {
            notifying = false;
            OutgoingPacket failed = outgoing.firstDone();
            assert failed != null;
            release(failed.token);
            freeSpace();
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
