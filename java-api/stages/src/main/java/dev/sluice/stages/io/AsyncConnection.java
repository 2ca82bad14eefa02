package dev.sluice.stages.io;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.ReleasableEvent;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The paper's asyncConnection. It is itself the event that reports the new connection. Packets are read once the
 * application has called {@link #startReading}, and sent by {@link #send}. The last event is {@link ConnectionClosed}.
 * All methods may be called by any thread; none of them blocks.
 *
 * <p>Bounds: the packets that wait to be sent, are being sent or whose event has not been delivered yet are limited in
 * number and in bytes, see {@link SocketOptions#outgoing}: by default {@value SocketOptions#OUTGOING_PACKETS} packets
 * and 256 KiB. A single packet may be larger if there is no other. Received bytes for which the application's queue has
 * no space stay in buffers of the proactor: at most the share of a connection, and for all connections together at most
 * {@link SocketOptions#maxRetainedBuffers}. Beyond this limit, bytes that arrive before the receive is cancelled are
 * copied, and nothing more is received until all of them have been taken. If packets are received {@linkplain
 * SocketOptions#receiveOnDemand on demand}, there is one, in a buffer of its own. In addition, at most one {@link
 * OutgoingQueueFull}, one {@link EndOfInput} and the {@link ConnectionClosed} wait for space.
 */
public final class AsyncConnection implements SocketEvent {

    final SocketStages sockets;
    private final SocketStream stream;
    final AsyncStream async;
    final ConnectionReading reading;
    private final ConnectionWriting writing;
    private volatile boolean closedByApplication;
    private final AtomicReference<IOException> cause = new AtomicReference<>();
    /** The last event; null before the end, and after it was passed to the read stage. */
    private volatile @Nullable ConnectionClosed closed;
    /** Whether the last event has been enqueued or dropped. */
    private volatile boolean left;
    /** Number of its two sides that may still be in their stage's queue. */
    private final AtomicInteger sides = new AtomicInteger(2);

    /**
     * Creates a connection from a stream, which it owns from now on, unless this throws.
     *
     * @param sockets the stages, of which a slot has been taken
     * @param stream the connected stream
     * @param target the queue for its events, until the application chooses another one
     */
    @SuppressWarnings("this-escape") // Fully constructed before anything is started.
    AsyncConnection(SocketStages sockets, SocketStream stream, EventQueue<? super SocketEvent> target)
            throws IOException {
        this.sockets = sockets;
        this.stream = stream;
        async = new AsyncStream(sockets.proactor, stream, new Hooks());
        reading = new ConnectionReading(this, target);
        writing = new ConnectionWriting(this);
        sockets.opened(this);
    }

    /** {@return the stream, for its options and addresses} It must not be used for reading or sending. */
    public SocketStream stream() {
        return stream;
    }

    /**
     * {@return the address of the peer}
     *
     * @throws IOException if it is closed
     */
    public SocketAddress remoteAddress() throws IOException {
        return stream.remoteAddress();
    }

    /**
     * Begins to read: each packet, the end of the input, and the end of the connection are put into a queue. While that
     * is full, the connection is not read.
     *
     * @param target the queue for all events of this connection from now on
     * @throws IllegalStateException if this has been called before
     */
    public void startReading(EventQueue<? super SocketEvent> target) {
        reading.begin(Objects.requireNonNull(target, "target"), ConnectionReading.UNLIMITED);
    }

    /**
     * Begins to read as above, but delivers at most the given number of packets until the application
     * {@linkplain #requestPackets requests more}. Further bytes wait in this connection's share of the proactor's
     * buffers, and beyond that with the peer.
     *
     * @param target the queue for all events of this connection from now on; only packets need to be requested
     * @param packets initial number of packets, at least 0
     * @throws IllegalStateException    if reading has been started before
     */
    public void startReading(EventQueue<? super SocketEvent> target, int packets) {
        reading.begin(Objects.requireNonNull(target, "target"), checked(packets));
    }

    /**
     * Requests more packets, for an application that receives no more than it can handle.
     *
     * @param packets number of further packets, at least 0; ignored if reading was started without a number
     * @throws IllegalArgumentException if that is negative
     */
    public void requestPackets(int packets) {
        reading.request(checked(packets));
    }

    private static int checked(int packets) {
        if (packets < 0) {
            throw new IllegalArgumentException("packets: " + packets + ", must be at least 0");
        }
        return packets;
    }

    /**
     * Sends a packet after all packets accepted before it.
     *
     * @param packet from position to limit; belongs to the connection until it has been sent or discarded
     * @return {@link EnqueueResult#ACCEPTED}; {@link EnqueueResult#FULL} if the limit of pending packets is reached,
     *         which is reported once by {@link OutgoingQueueFull}; {@link EnqueueResult#CLOSED}. A packet that cannot
     *         be sent after it was accepted, for example memory of an arena that is confined to one thread, ends the
     *         connection
     */
    public EnqueueResult send(ByteBuffer packet) {
        return send(packet, null, null);
    }

    /**
     * Sends a packet after all packets accepted before it, and reports its completion by an event. Until the event has
     * been enqueued, the packet counts as pending.
     *
     * <p>There is one event for each accepted packet, even if the connection is closed before the packet has been sent,
     * or if the deadline of the graph's stop passes. In the latter case it may be delivered after the stop has
     * returned, by a thread of the proactor that runs or closes it. If the event's queue is closed by then, as those of
     * the graph's own stages are, or rejects the event, the event is dropped. The token is then {@linkplain
     * ReleasableEvent#release() released} if it is a {@link ReleasableEvent}, such as a retained packet.
     *
     * @param packet from position to limit; belongs to the connection until the event
     * @param token passed with the event; may be null
     * @param target the queue for the {@link PacketSent}; null for no event, and then the token is ignored
     * @return as {@link #send(ByteBuffer)}; there is an event only if it was accepted
     */
    public EnqueueResult send(ByteBuffer packet, @Nullable Object token,
                              @Nullable EventQueue<? super SocketEvent> target) {
        Objects.requireNonNull(packet, "packet");
        return isOpen() ? writing.add(packet, token, target) : EnqueueResult.CLOSED;
    }

    /** {@return the number of packets that wait to be sent or are being sent} */
    public int outgoing() {
        return writing.packets();
    }

    /**
     * Closes the connection. Packets that have not been sent are discarded, and received packets that wait in queues
     * expire.
     */
    public void close() {
        closedByApplication = true;
        end(null);
        // If the connection had ended before, its last event may still wait behind packets that have not been
        // requested.
        reading.signal();
    }

    /** Closes the connection after all accepted packets have been sent, however long the peer takes. */
    public void closeAfterSending() {
        writing.closeAtTheEnd(0);
    }

    /**
     * Closes the connection after all accepted packets have been sent, and the peer has had time to receive them. The
     * output is shut down after the last packet, and further bytes from the peer are discarded, until the peer shuts
     * down its output, too. Without this, the system would reset a connection on which bytes arrive when it is closed,
     * and the peer would lose the bytes that it has not received yet. The application gets no {@link EndOfInput} any
     * more.
     *
     * @param linger maximum time to wait for the peer's end of stream after all packets have been passed to the system
     * @throws IllegalArgumentException if that is negative
     */
    public void closeAfterSending(Duration linger) {
        writing.closeAtTheEnd(Timeout.nanos("linger", linger));
    }

    /** {@return whether it still accepts packets to send} */
    public boolean isOpen() {
        return stream.handle().isOpen();
    }

    boolean isClosedByApplication() {
        return closedByApplication;
    }

    // For its two sides

    /** Closes the connection, because of an error or, if there is no cause, on request. Called by any thread. */
    void end(@Nullable IOException why) {
        cause.compareAndSet(null, why);
        stream.close();
        reading.close();
        writing.signal();
    }

    /** Called once, when nothing is received any more. */
    void finish() {
        closed = new ConnectionClosed(this, closedByApplication ? null : cause.get());
        // The pending packets are reported first.
        writing.signal();
    }

    /**
     * Called when all packets have been sent or discarded, and reported; possibly more than once. Called by the thread
     * of the write stage.
     */
    void outputCompleted() {
        ConnectionClosed event = closed;
        if (event != null) {
            closed = null;
            reading.add(event);
        }
    }

    /** Called by the read stage before the last event is enqueued, or when it is dropped. */
    void leave() {
        left = true;
        retire(reading);
        retire(writing);
    }

    /** Called when one of its sides has been served, possibly for the last time. */
    void retire(SocketRequest side) {
        if (left && side.retire() && sides.decrementAndGet() == 0) {
            sockets.closed(this);
        }
    }

    /** {@return the stream's description} */
    @Override
    public String toString() {
        return stream.toString();
    }

    /** The hooks that the proactor calls. */
    private final class Hooks implements CompletionHandler {

        @Override
        public void handleCompletion(Completion completion) {
            if (completion.type() == OperationType.SEND) {
                sent(completion);
            } else {
                received(completion);
            }
        }

        private void received(Completion completion) {
            reading.completed(completion);
        }

        private void sent(Completion completion) {
            writing.sent(completion.isSuccess() ? null : completion.error());
        }

        @Override
        public void handleFailure(@Nullable Handle handle, Throwable thrown) {
            CompletionHandler.super.handleFailure(handle, thrown);
            end(new IOException(AsyncConnection.this + " has failed", thrown));
        }

        @Override
        public String toString() {
            return AsyncConnection.this.toString();
        }
    }
}
