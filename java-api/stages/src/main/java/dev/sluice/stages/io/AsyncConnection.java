package dev.sluice.stages.io;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Outcome;
import dev.sluice.stages.ReleasableEvent;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The paper's asyncConnection. It is itself the event that says that it has been made. Packets are read once the
 * application has called {@link #startReading}, and sent by {@link #send}. The last event is {@link ConnectionClosed}.
 * All methods may be called by any thread, and none of them waits.
 *
 * <p>Bounds: what waits to be sent, is being sent or has not been told of is at most so many packets and so many bytes,
 * see {@link SocketOptions#outgoing}: {@value SocketOptions#OUTGOING_PACKETS} and 256 KiB unless told otherwise. A
 * single packet may be larger if there is no other. What has been received and the application has no room for is in
 * buffers of the proactor: at most the share that it gives a connection, and with all other connections no more than
 * {@link SocketOptions#maxRetainedBuffers}. Beyond these, what was under way is copied, and nothing is received until
 * all of it has been taken. If packets are received {@linkplain SocketOptions#receiveOnDemand on demand}, there is one,
 * in a buffer of its own. Besides, at most one {@link OutgoingQueueFull}, one {@link EndOfInput} and the
 * {@link ConnectionClosed} wait for room.
 */
public final class AsyncConnection implements SocketEvent {

    final SocketStages sockets;
    private final SocketStream stream;
    final AsyncStream async;
    final ConnectionReading reading;
    private final ConnectionWriting writing;
    private volatile boolean closedByApplication;
    private final AtomicReference<IOException> cause = new AtomicReference<>();
    /** The last event; null before the end, and once it was passed on to the read stage. */
    private volatile ConnectionClosed closed;
    /** Whether the last event is in its queue, or was dropped. */
    private volatile boolean left;
    /** How many of its two sides may still be in their stage's queue. */
    private final AtomicInteger sides = new AtomicInteger(2);

    /**
     * Makes one of a stream, which it owns from now on, unless this throws.
     *
     * @param sockets the stages, of which a slot has been taken
     * @param stream  is connected
     * @param target  for its events, until the application says otherwise
     */
    @SuppressWarnings("this-escape") // It is complete before anything is started.
    AsyncConnection(SocketStages sockets, SocketStream stream, EventQueue<? super SocketEvent> target)
            throws IOException {
        this.sockets = sockets;
        this.stream = stream;
        async = new AsyncStream(sockets.proactor, stream, new Hooks());
        reading = new ConnectionReading(this, target);
        writing = new ConnectionWriting(this);
        sockets.opened(this);
    }

    /** {@return the stream, for its options and addresses} Reading or sending on it garbles what is sent here. */
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
     * Begins to read: each packet, the end of them, and the end of the connection are put into a queue. While there is
     * no room, the connection is not read.
     *
     * @param target for all events of this connection from now on
     * @throws IllegalStateException if this has been called before
     */
    public void startReading(EventQueue<? super SocketEvent> target) {
        reading.begin(Objects.requireNonNull(target, "target"), ConnectionReading.UNLIMITED);
    }

    /**
     * Begins to read as above, but only so many packets until the application {@linkplain #requestPackets allows more}.
     * What comes meanwhile waits with the peer, as far as it does not fit into this connection's share of the
     * proactor's buffers.
     *
     * @param target for all events of this connection from now on; only packets need to be allowed
     * @param packets how many, at least 0
     * @throws IllegalArgumentException if that is negative
     * @throws IllegalStateException    if reading has been started before
     */
    public void startReading(EventQueue<? super SocketEvent> target, int packets) {
        reading.begin(Objects.requireNonNull(target, "target"), checked(packets));
    }

    /**
     * Allows more packets to be read: credit of the application, for one that does not want to keep what it cannot
     * handle yet.
     *
     * @param packets how many more, at least 0; means nothing if reading was started without such a number
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
     * Has a packet be sent, after those given before.
     *
     * @param packet from position to limit; belongs to the connection until it has been sent, or cannot be any more
     * @return {@link Outcome#ACCEPTED}; {@link Outcome#FULL} if too much waits already, of which the application is
     *         notified once by {@link OutgoingQueueFull}; {@link Outcome#CLOSED}. What cannot be sent after it was
     *         accepted, such as memory of an arena that is confined to one thread, ends the connection
     */
    public Outcome send(ByteBuffer packet) {
        return send(packet, null, null);
    }

    /**
     * Has a packet be sent, after those given before, and tells when that has been done. Until the event is in its
     * queue, the packet counts as one that waits.
     *
     * <p>There is one event for each packet that was accepted, also if the connection is closed before it has been
     * sent, or the stop of the graph gives up. After that it may come when the stop has returned already, from a thread
     * of the proactor, as long as that is run or is being closed. If the event's queue is closed by then, as those of
     * the graph's own stages are, or refuses it, nobody is told. So that what was lent is given back all the same, the
     * token is then {@linkplain ReleasableEvent#release() released} if it is a {@link ReleasableEvent}, such as a
     * packet that was kept.
     *
     * @param packet from position to limit; belongs to the connection until the event
     * @param token  for the event; may be null
     * @param target for the {@link PacketSent}; null for no event, and then the token means nothing
     * @return as {@link #send(ByteBuffer)}; there is an event only if it was accepted
     */
    public Outcome send(ByteBuffer packet, Object token, EventQueue<? super SocketEvent> target) {
        Objects.requireNonNull(packet, "packet");
        return isOpen() ? writing.add(packet, token, target) : Outcome.CLOSED;
    }

    /** {@return how many packets wait to be sent, or are being sent} */
    public int outgoing() {
        return writing.packets();
    }

    /** Closes it. What has not been sent is not sent any more, and what has been received expires. */
    public void close() {
        closedByApplication = true;
        end(null);
        // If it had ended before, its last event may still wait behind packets that nobody has allowed.
        reading.signal();
    }

    /** Closes it once all packets that have been accepted are sent, however long the peer takes. */
    public void closeAfterSending() {
        writing.closeAtTheEnd(0);
    }

    /**
     * Closes it once all packets that have been accepted are sent, and the peer has had the time to take them. Then the
     * peer is told that nothing follows, and what it still sends is discarded, until it ends, too. A connection that is
     * closed while something comes is reset by the system, which takes back what the peer has not received. The
     * application gets no {@link EndOfInput} any more.
     *
     * @param linger the longest to wait for the end of the peer, from when all packets have been given to the system
     * @throws IllegalArgumentException if that is negative
     */
    public void closeAfterSending(Duration linger) {
        writing.closeAtTheEnd(Timeout.nanos("linger", linger));
    }

    /** {@return whether it can still send} */
    public boolean isOpen() {
        return stream.handle().isOpen();
    }

    boolean isClosedByApplication() {
        return closedByApplication;
    }

    // For its two sides

    /** Closes it because of an error or, without a cause, because that is wanted. Called by any thread. */
    void end(IOException why) {
        cause.compareAndSet(null, why);
        stream.close();
        reading.close();
        writing.signal();
    }

    /** Nothing is received any more. Called once. */
    void finish() {
        closed = new ConnectionClosed(this, closedByApplication ? null : cause.get());
        // The packets that were to be sent are reported first.
        writing.signal();
    }

    /** All packets are sent or given up, and reported. Called by the thread that serves the write stage, repeatedly. */
    void outputCompleted() {
        ConnectionClosed event = closed;
        if (event != null) {
            closed = null;
            reading.add(event);
        }
    }

    /** The last event is about to be in its queue, or nobody wants it. Called by the read stage. */
    void leave() {
        left = true;
        retire(reading);
        retire(writing);
    }

    /** One of its sides has been served, perhaps for the last time. */
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

    /** What the proactor calls. */
    private final class Hooks implements CompletionHandler {

        @Override
        public void handleReceive(Completion completion) {
            reading.completed(completion);
        }

        @Override
        public void handleSend(Completion completion) {
            writing.sent(completion.isSuccess() ? null : completion.error());
        }

        @Override
        public void handleFailure(Handle handle, Throwable thrown) {
            CompletionHandler.super.handleFailure(handle, thrown);
            end(new IOException(AsyncConnection.this + " has failed", thrown));
        }

        @Override
        public String toString() {
            return AsyncConnection.this.toString();
        }
    }
}
