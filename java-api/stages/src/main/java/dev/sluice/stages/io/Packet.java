package dev.sluice.stages.io;

import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.stages.ReleasableEvent;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Bytes received on a connection: at least one. By default they are a copy of at most {@value #MAX_COPIED_BYTES} bytes,
 * which belongs to the application. With {@link SocketOptions#zeroCopyPackets} they are all bytes of one receive, in a
 * buffer of the proactor, which belongs to the application until the call of the packet's handler returns. A handler
 * that needs it for longer, for example to enqueue it at another stage, {@linkplain #retain() retains} it. May be used
 * by any thread.
 */
public final class Packet implements SocketEvent, ReleasableEvent {

    /** Maximum number of bytes of a copied packet. */
    public static final int MAX_COPIED_BYTES = 16 * 1024;

    private static final AtomicIntegerFieldUpdater<Packet> HOLDERS =
            AtomicIntegerFieldUpdater.newUpdater(Packet.class, "holders");

    private final AsyncConnection connection;
    private final long number;
    private final ByteBuffer bytes;
    /** Null if the bytes are a copy. */
    final @Nullable RetainedBuffer zeroCopy;
    private volatile int holders = 1;
    /** See {@link RetainedBuffers#releasePacket}. */
    @Nullable Packet releasedBefore;

    private Packet(AsyncConnection connection, long number, ByteBuffer bytes, @Nullable RetainedBuffer zeroCopy) {
        this.connection = connection;
        this.number = number;
        this.bytes = bytes;
        this.zeroCopy = zeroCopy;
    }

    /** {@return a packet with a copy of the bytes} */
    static Packet copied(AsyncConnection connection, long number, ByteBuffer bytes) {
        return new Packet(connection, number, bytes, null);
    }

    /** {@return a packet that holds a retained buffer until it is released} */
    static Packet zeroCopy(AsyncConnection connection, long number, RetainedBuffer buffer) {
        return new Packet(connection, number, buffer.bytes(), buffer);
    }

    /** {@return the connection that has received it} */
    public AsyncConnection connection() {
        return connection;
    }

    /**
     * {@return its number, 0 for the first packet of the connection} An application with several threads can restore
     * the order by it.
     */
    public long number() {
        return number;
    }

    /**
     * {@return the bytes, from position to limit}
     *
     * @throws IllegalStateException if they are in a buffer of the proactor and have been released
     */
    public ByteBuffer bytes() {
        if (holders == 0) {
            throw released();
        }
        return bytes;
    }

    /**
     * Adds an owner of the bytes, which must {@linkplain #release() release} them. A stage that accepts the packet is
     * an owner as well. Bytes in a buffer of the proactor must be released before the proactor is closed; until they
     * are released, the connection may not be received from.
     *
     * @return this
     * @throws IllegalStateException if they are in a buffer of the proactor and have been released
     */
    public Packet retain() {
        if (zeroCopy != null) {
            int before;
            do {
                before = holders;
                if (before == 0) {
                    throw released();
                }
            } while (!HOLDERS.compareAndSet(this, before, before + 1));
        }
        return this;
    }

    /**
     * Releases the bytes for one of their owners. Does nothing if they are a copy.
     *
     * @throws IllegalStateException if they are in a buffer of the proactor that all owners have released
     */
    @Override
    public void release() {
        if (zeroCopy == null) {
            return;
        }
        int before;
        do {
            before = holders;
            if (before == 0) {
                throw released();
            }
        } while (!HOLDERS.compareAndSet(this, before, before - 1));
        if (before == 1) {
            connection.sockets.retained.releasePacket(this);
        }
    }

    private IllegalStateException released() {
        return new IllegalStateException(this + " has been released: retain a packet that is needed for longer than"
                + " the handler's call");
    }

    /** {@return whether the application has closed the connection in the meantime} */
    @Override
    public boolean isExpired() {
        return connection.isClosedByApplication();
    }

    /** {@return for example {@code packet 7 of 127.0.0.1:80 -> 127.0.0.1:4711}} */
    @Override
    public String toString() {
        return "packet " + number + " of " + connection;
    }
}
