package dev.sluice.stages.io;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.RateController;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The incoming side of a connection. Received bytes stay here, in buffers of the proactor, until the application's
 * queue has space for it. A connection gets at most a share of the proactor's buffers, so this is bounded. The buffers
 * that all connections together retain are limited as well: at the limit, received bytes are copied, and the receive is
 * cancelled until all of them have been taken. Beyond the limit, a connection holds only the bytes that arrive before
 * the cancellation.
 */
final class ConnectionReading extends SocketRequest {

    /** The number of requested packets is not limited. */
    static final int UNLIMITED = -1;
    /** The application has not started to read. */
    private static final int NOT_STARTED = -2;

    private final AsyncConnection connection;
    private final ConnectionReceive receive;
    /** Whether packets use the proactor's buffers. */
    private final boolean zeroCopy;
    /** Whether a packet is received only when it is requested. */
    private final boolean onDemand;
    /** Null for no limit. */
    private final @Nullable RateController rate;
    private volatile EventQueue<? super SocketEvent> target;
    /**
     * Number of packets that the application has requested and not received yet; {@link #UNLIMITED} or {@link
     * #NOT_STARTED}.
     */
    private final AtomicInteger requested = new AtomicInteger(NOT_STARTED);
    /** Retained buffers, copies of their bytes, and events, in order. */
    private final Queue<Object> incoming = new ConcurrentLinkedQueue<>();
    /** Whether an {@link OutgoingQueueFull} is pending. One event reports several overruns. */
    private final AtomicBoolean overrun = new AtomicBoolean();
    /** Whether a timer will signal this at the resumption. */
    private final AtomicBoolean timed = new AtomicBoolean();

    // Accessed only by the thread that serves

    /** The buffer for receives on demand; owned by the proactor while a receive is in flight. */
    private @Nullable ByteBuffer demanded;
    private long packets;
    /** Time of the next read, by {@link System#nanoTime()}; only used if there is a rate. */
    private long resumption;
    /** The last timer for the resumption; null before the first. */
    private @Nullable Timer timer;

    ConnectionReading(AsyncConnection connection, EventQueue<? super SocketEvent> target) {
        super(connection.sockets, connection.sockets.reading);
        this.connection = connection;
        receive = new ConnectionReceive(connection);
        this.target = target;
        SocketOptions options = connection.sockets.options;
        zeroCopy = options.zeroCopy;
        onDemand = options.demand > 0;
        rate = options.packetsPerSecond == 0 ? null
                : new RateController(options.packetsPerSecond, options.burst);
    }

    // For the application and the other side: called by any thread

    void begin(EventQueue<? super SocketEvent> newTarget, int packetsAtFirst) {
        synchronized (this) {
            if (requested.get() != NOT_STARTED) {
                throw new IllegalStateException(connection + " is being read already");
            }
            target = newTarget;
            requested.set(packetsAtFirst);
        }
        signal();
    }

    void request(int more) {
        int now = requested.accumulateAndGet(more,
                (before, added) -> before < 0 ? before : (int) Math.min(Integer.MAX_VALUE, (long) before + added));
        if (now >= 0) {
            signal();
        }
    }

    void add(SocketEvent event) {
        incoming.add(event);
        signal();
    }

    /** Called when the outgoing queue has rejected a packet. */
    void addQueueFull() {
        if (overrun.compareAndSet(false, true)) {
            signal();
        }
    }

    // Receiving

    /** Stops receiving for the application. Called by any thread. */
    void stop() {
        receive.stop();
    }

    /**
     * Discards all bytes received from now on, and closes the connection at the end of the input. Called by any thread.
     */
    void discard() {
        receive.discard();
    }

    /**
     * Called by any thread after the stream was closed: the connection ends now, or when the receive in flight has
     * completed.
     */
    void close() {
        receive.close();
    }

    /** Called by the proactor, for each completion of a receive. */
    void completed(Completion completion) {
        try {
            take(completion);
        } finally {
            // Even if this fails: the end of the connection waits for it.
            if (completion.isLast()) {
                last(completion);
            }
        }
    }

    private void take(Completion completion) {
        if (completion.isFailure()) {
            connection.end(completion.error());
        } else if (completion.isSuccess() && receive.state() != ReceiveState.DISCARDING) {
            if (completion.isEndOfStream()) {
                add(new EndOfInput(connection));
            } else if (completion.buffer() == null) {
                assert demanded != null;
                incoming.add(demanded.flip());
            } else {
                add(completion.buffer());
            }
        }
    }

    private void add(ProvidedBuffer buffer) {
        RetainedBuffer retained = sockets.retained.retain(buffer);
        if (retained != null) {
            incoming.add(retained);
        } else {
            ByteBuffer bytes = buffer.bytes();
            incoming.add(ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip());
            receive.pause();
        }
        signal();
    }

    private void last(Completion completion) {
        ReceiveState before = receive.ended(completion);
        if (!connection.isOpen()) {
            close();
        } else if (before != ReceiveState.DISCARDING) {
            // A packet has been received, or another receive may be started.
            signal();
        } else if (completion.isEndOfStream()) {
            connection.close();
        } else {
            discard();
        }
    }

    // Delivering: called by the thread that serves

    @Override
    void serve() {
        if (!onDemand && requested.get() != NOT_STARTED) {
            receive.start(ReceiveState.IDLE, null);
        }
        while (deliverPending(target) && deliverOverrun()) {
            // Read before the received bytes, which may arrive together with the end of the receive.
            ReceiveState seen = receive.state();
            Object next = incoming.peek();
            if (next == null) {
                connection.retire(this);
                receiveMore(seen);
                return;
            }
            if (next instanceof SocketEvent event) {
                incoming.remove();
                setPending(event);
                if (event instanceof ConnectionClosed) {
                    endReceiving();
                }
            } else if (!take(next)) {
                return;
            }
        }
    }

    /** Called when everything has been taken that there was when the state was read. */
    private void receiveMore(ReceiveState seen) {
        if (seen == ReceiveState.PAUSED) {
            receive.start(seen, null);
        } else if (onDemand && seen == ReceiveState.IDLE && requested.get() != NOT_STARTED && requested.get() != 0) {
            if (demanded == null) {
                demanded = sockets.takeBuffer();
            }
            receive.start(seen, demanded.clear());
        }
    }

    private void endReceiving() {
        if (demanded != null) {
            sockets.releaseBuffer(demanded);
            demanded = null;
        }
        if (timer != null) {
            timer.cancel();
        }
    }

    /**
     * {@return whether no overrun remains to be delivered} An overrun does not wait behind packets, which may never be
     * requested. The last event exists only once the connection is not open, and no event may follow it.
     */
    private boolean deliverOverrun() {
        // Rarely true, and checked for each packet: a read costs less than a compare-and-set.
        if (!overrun.get()) {
            return true;
        }
        // Before the delivery, so that an overrun during it counts as another one.
        overrun.set(false);
        if (!connection.isOpen() || deliver(target, new OutgoingQueueFull(connection))) {
            return true;
        }
        overrun.set(true);
        return false;
    }

    /**
     * Makes a packet of received bytes, or drops them.
     *
     * @return whether to continue
     */
    private boolean take(Object received) {
        RetainedBuffer buffer = received instanceof RetainedBuffer retained ? retained : null;
        ByteBuffer bytes = buffer == null ? (ByteBuffer) received : buffer.bytes();
        if (connection.isClosedByApplication() || !bytes.hasRemaining()) {
            removeReceived(buffer);
        } else if (requested.get() == 0 || isPostponed() || isWithoutSpace()) {
            return false;
        } else if (buffer != null && zeroCopy && sockets.retained.hasSpare()) {
            setPending(Packet.zeroCopy(connection, nextNumber(), buffer));
            incoming.remove();
        } else {
            setPending(copy(bytes));
            if (!bytes.hasRemaining()) {
                removeReceived(buffer);
            }
        }
        return true;
    }

    /** Removes the first of the incoming elements; the buffer is null if that is a copy. */
    private void removeReceived(@Nullable RetainedBuffer buffer) {
        incoming.remove();
        if (buffer != null) {
            sockets.retained.release(buffer);
        }
    }

    /** {@return whether a packet could not be delivered now} */
    private boolean isWithoutSpace() {
        EventQueue<? super SocketEvent> queue = target;
        if (queue.isClosed() || mayEnter(queue)) {
            return false;
        }
        awaitSpace(queue);
        return true;
    }

    private boolean isPostponed() {
        if (rate == null || packets == 0) {
            return false;
        }
        long left = resumption - System.nanoTime();
        if (left > 0 && !timed.get()) {
            timer = signalAfter(Duration.ofNanos(left), timed);
        }
        return left > 0;
    }

    private Packet copy(ByteBuffer bytes) {
        int size = Math.min(bytes.remaining(), Packet.MAX_COPIED_BYTES);
        ByteBuffer copy = ByteBuffer.allocate(size);
        copy.put(bytes.duplicate().limit(bytes.position() + size)).flip();
        bytes.position(bytes.position() + size);
        return Packet.copied(connection, nextNumber(), copy);
    }

    /** {@return the number of the next packet} The packet counts for the rate and as a requested one. */
    private long nextNumber() {
        if (requested.get() > 0) {
            requested.decrementAndGet();
        }
        if (rate != null) {
            long now = System.nanoTime();
            resumption = now + rate.postponement(1, now);
        }
        return packets++;
    }

    // The end

    /** Called if the application's queue throws: the same event is not offered again, and the connection ends. */
    @Override
    void fail(Throwable cause) {
        connection.end(new IOException(connection + " cannot be read", cause));
        if (dropPending()) {
            signal();
        }
    }

    @Override
    void abandon() {
        dropPending();
        for (Object left = incoming.poll(); left != null; left = incoming.poll()) {
            if (left instanceof RetainedBuffer buffer) {
                sockets.retained.release(buffer);
            } else if (left instanceof SocketEvent event) {
                drop(event);
            }
        }
        connection.retire(this);
    }

    @Override
    void releasePlace() {
        connection.leave();
    }

    @Override
    public String toString() {
        return "reading of " + connection;
    }
}
