package dev.sluice.stage.io;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.stage.EventQueue;
import dev.sluice.stage.RateController;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The incoming side of a connection. What the proactor has received lies here, in its buffers, until the application's
 * queue has room for it. The proactor gives a connection no more than a share of its buffers, so this is bounded. All
 * connections together keep no more than a share either: what arrives then is copied, and the receive ends until all of
 * it has been taken. So each connection can hold what was under way at that moment.
 */
final class ConnectionReading extends SocketRequest {

    /** Packets are read as they come. */
    static final int UNLIMITED = -1;

    private static final long NOT_STARTED = -1;

    private final AsyncConnection connection;
    /** Provided buffers, copies of such, and events, in order. */
    private final Queue<Object> incoming = new ConcurrentLinkedQueue<>();
    private volatile EventQueue<? super SocketEvent> target;
    private volatile boolean begun;
    /** How many packets the application still allows, or {@link #UNLIMITED}. */
    private final AtomicInteger allowed = new AtomicInteger(UNLIMITED);
    private volatile boolean cancelled;
    /** Whether the receive is to end until what is here has been taken. */
    private volatile boolean paused;
    /** Whether it has ended because of that. */
    private volatile boolean resumable;
    private volatile long ticket = NOT_STARTED;
    /** Whether packets hold the proactor's buffers. */
    private final boolean lends;
    /** Whether a packet is received only when it is allowed. */
    private final boolean onDemand;
    /** Whether a receive is in flight, or has been the last. */
    private volatile boolean demanding;
    /** What is received into on demand. */
    private ByteBuffer demanded;
    /** Null for no limit. */
    private final RateController rate;
    /** By {@link System#nanoTime()}; only if there is a rate. */
    private long resumption;
    /** Whether a timer will signal this at the resumption. One is enough, however often it is looked at before. */
    private volatile boolean timed;
    /** The last one; null before that. */
    private Timer timer;
    private boolean receiving;
    private long packets;
    /** An event that had no room when it was offered. */
    private SocketEvent held;
    /** Whether the application is to be told of an overrun. One is as good as several. */
    private final AtomicBoolean overrun = new AtomicBoolean();

    ConnectionReading(AsyncConnection connection, EventQueue<? super SocketEvent> target) {
        super(connection.sockets());
        this.connection = connection;
        this.target = target;
        SocketOptions options = connection.sockets().options();
        lends = options.lendsBuffers();
        onDemand = options.demand() > 0;
        rate = options.packetsPerSecond() == 0 ? null
                : new RateController(options.packetsPerSecond(), options.burst());
    }

    @Override
    EventQueue<SocketRequest> queue() {
        return sockets().reading().queue();
    }

    /** Called by any thread. */
    void begin(EventQueue<? super SocketEvent> newTarget, int packets) {
        synchronized (this) {
            if (begun) {
                throw new IllegalStateException(connection + " is being read already");
            }
            target = newTarget;
            allowed.set(packets);
            begun = true;
        }
        signal();
    }

    /** Called by any thread. */
    void allow(int more) {
        int before;
        do {
            before = allowed.get();
            if (before == UNLIMITED) {
                return;
            }
        } while (!allowed.compareAndSet(before, (int) Math.min(Integer.MAX_VALUE, (long) before + more)));
        signal();
    }

    /** Adds an event. Called by any thread. */
    void add(SocketEvent event) {
        incoming.add(event);
        signal();
    }

    /** The outgoing queue has overrun. Called by any thread. */
    void addOverrun() {
        if (overrun.compareAndSet(false, true)) {
            signal();
        }
    }

    /** Adds what has been received. Called by the proactor. */
    void received(ProvidedBuffer buffer) {
        if (sockets().kept().keep(buffer)) {
            incoming.add(buffer);
        } else {
            ByteBuffer bytes = buffer.buffer();
            incoming.add(ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip());
            if (!paused) {
                paused = true;
                cancelTicket();
            }
        }
        signal();
    }

    /** A packet that has been demanded is there. Called by the proactor, before {@link #mayDemand()}. */
    void received() {
        incoming.add(demanded.flip());
    }

    /** Nothing is being received, so that a packet can be demanded. Called by the proactor. */
    void mayDemand() {
        if (onDemand) {
            // Not before: a receive that is started while the last one is not quite over would not take place.
            demanding = false;
            signal();
        }
    }

    /** The receive has been cancelled. Called by the proactor. */
    void mayResume() {
        if (paused) {
            resumable = true;
            signal();
        }
    }

    void setTicket(long newTicket) {
        ticket = newTicket;
        if (cancelled || paused) {
            connection.async().cancel(newTicket);
        }
    }

    /** Nothing is to be received any more. Called by any thread. */
    void cancel() {
        cancelled = true;
        cancelTicket();
    }

    private void cancelTicket() {
        if (ticket != NOT_STARTED) {
            connection.async().cancel(ticket);
        }
    }

    @Override
    void serve() {
        if (begun && !receiving && !onDemand) {
            receiving = true;
            receive();
        }
        while (deliverHeld() && deliverOverrun()) {
            Object next = incoming.peek();
            if (next == null) {
                connection.retire(this);
                resume();
                demand();
                return;
            }
            if (next instanceof ProvidedBuffer buffer) {
                if (!(lends && sockets().kept().mayLend() ? lend(buffer) : copyFrom(buffer))) {
                    return;
                }
            } else if (next instanceof ByteBuffer copy) {
                if (!takeFrom(copy)) {
                    return;
                }
            } else {
                incoming.remove();
                held = (SocketEvent) next;
                if (next instanceof ConnectionClosed) {
                    endReceiving();
                }
            }
        }
    }

    private void receive() {
        if (!cancelled && connection.isOpen()) {
            connection.receive(null);
        }
    }

    private void resume() {
        if (resumable) {
            resumable = false;
            paused = false;
            receive();
        }
    }

    private void demand() {
        if (!onDemand || !begun || demanding || cancelled || allowed.get() == 0 || !connection.isOpen()) {
            return;
        }
        if (demanded == null) {
            demanded = sockets().takeBuffer();
        }
        demanding = true;
        connection.receive(demanded.clear());
    }

    /** Nothing is received any more. */
    private void endReceiving() {
        if (demanded != null) {
            sockets().giveBufferBack(demanded);
            demanded = null;
        }
        if (timer != null) {
            sockets().proactor().cancel(timer);
        }
    }

    private boolean deliverHeld() {
        if (held != null && !(held instanceof ConnectionClosed
                ? deliverLast(target, held, connection::leave) : deliver(target, held))) {
            return false;
        }
        held = null;
        return true;
    }

    /**
     * {@return whether there is no overrun to tell of any more} It does not wait for packets, which may never be
     * allowed. The last event is there only once the connection is not open, and nothing may come after it.
     */
    private boolean deliverOverrun() {
        // Hardly ever, and asked for each packet: a look costs less than an attempt to change it.
        if (!overrun.get()) {
            return true;
        }
        // Before it is told of, so that one which comes meanwhile is another one.
        overrun.set(false);
        if (!connection.isOpen() || deliver(target, new OutgoingOverrun(connection))) {
            return true;
        }
        overrun.set(true);
        return false;
    }

    /** {@return whether to go on} */
    private boolean lend(ProvidedBuffer buffer) {
        if (connection.isClosedByApplication()) {
            sockets().kept().release(buffer);
        } else if (allowed.get() == 0 || isPostponed() || isWithoutRoom()) {
            return false;
        } else {
            held = Packet.lent(connection, nextNumber(), buffer);
        }
        incoming.remove();
        return true;
    }

    /** {@return whether to go on} */
    private boolean copyFrom(ProvidedBuffer buffer) {
        boolean goesOn = takeFrom(buffer.buffer());
        if (incoming.peek() != buffer) {
            sockets().kept().release(buffer);
        }
        return goesOn;
    }

    /** {@return whether to go on} */
    private boolean takeFrom(ByteBuffer bytes) {
        if (!connection.isClosedByApplication() && bytes.hasRemaining()) {
            if (allowed.get() == 0 || isPostponed() || isWithoutRoom()) {
                return false;
            }
            held = copy(bytes);
            if (bytes.hasRemaining()) {
                return true;
            }
        }
        incoming.remove();
        return true;
    }

    /** {@return whether it would be pointless to make a packet} */
    private boolean isWithoutRoom() {
        EventQueue<? super SocketEvent> queue = target;
        if (queue.isClosed() || mayEnter(queue)) {
            return false;
        }
        awaitRoom(queue);
        return true;
    }

    private boolean isPostponed() {
        if (rate == null) {
            return false;
        }
        long left = resumption - System.nanoTime();
        if (packets == 0 || left <= 0) {
            return false;
        }
        if (!timed) {
            timed = true;
            timer = sockets().proactor().schedule(token -> endPostponement(), null, Duration.ofNanos(left));
        }
        return true;
    }

    /** Called by the proactor. */
    private void endPostponement() {
        timed = false;
        signal();
    }

    private Packet copy(ByteBuffer bytes) {
        int size = Math.min(bytes.remaining(), Packet.MOST_BYTES);
        ByteBuffer copy = ByteBuffer.allocate(size);
        copy.put(bytes.duplicate().limit(bytes.position() + size)).flip();
        bytes.position(bytes.position() + size);
        return Packet.copied(connection, nextNumber(), copy);
    }

    /** {@return the number of the next packet, which counts for the rate and as one of those allowed} */
    private long nextNumber() {
        if (allowed.get() != UNLIMITED) {
            allowed.decrementAndGet();
        }
        if (rate != null) {
            long now = System.nanoTime();
            resumption = now + rate.postponement(1, now);
        }
        return packets++;
    }

    /** An application's queue that throws is not offered the same again. What comes after it is the end. */
    @Override
    void fail(Throwable cause) {
        connection.end(new IOException(connection + " cannot be read", cause));
        if (held != null) {
            dropHeld();
            signal();
        }
    }

    private void dropHeld() {
        if (held != null) {
            dropLost(held);
            held = null;
        }
    }

    private void dropLost(Object lost) {
        if (lost instanceof ProvidedBuffer buffer) {
            sockets().kept().release(buffer);
        } else if (lost instanceof ConnectionClosed) {
            connection.leave();
        } else if (lost instanceof SocketEvent event) {
            drop(event);
        }
    }

    @Override
    void abandon() {
        dropHeld();
        Object left = incoming.poll();
        while (left != null) {
            dropLost(left);
            left = incoming.poll();
        }
        connection.retire(this);
    }

    @Override
    public String toString() {
        return "reading of " + connection;
    }
}
