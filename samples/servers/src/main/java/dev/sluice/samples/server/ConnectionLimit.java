package dev.sluice.samples.server;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number of connections of a server, at all of its ports together. A connection beyond it gets an answer, if
 * the protocol has one for this, and is closed, so that it takes neither memory nor a descriptor from the others.
 *
 * <p>The default is the number for which half of the heap is sufficient, at 32 KiB each, which is more than a head or a
 * line of any protocol here, but at most half of the descriptors, as each connection may have a file open. Servers with
 * a fixed memory ({@code haboob}, {@code logging}, {@code gnutella}) have limits of their own instead.
 *
 * <p>For those that {@link #admits} lets in, a connection counts once it is open: the ones that have been accepted for
 * other loops and are not open there yet may exceed the limit, as may those that several threads accept at the same
 * moment. A registry, see {@link #setFor}, counts them before. Thread-safe.
 */
public final class ConnectionLimit {

    /** Refuses no connection. */
    public static final ConnectionLimit NONE =
            new ConnectionLimit(Integer.MAX_VALUE, () -> Integer.MAX_VALUE, new byte[0]);

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimit.class);

    private static final int MEMORY_OF_ONE = 32 * 1024;
    private static final int DESCRIPTORS_OF_ONE = 2;
    /** Descriptors for everything else: what the virtual machine has open, and the loops. */
    private static final int OTHER_DESCRIPTORS = 64;
    private static final int MIN_CONNECTIONS = 16;
    private static final int MAX_DISCARDED = 16 * 1024;
    private static final long BETWEEN_REPORTS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The number of connections that are always admitted. */
    private final int minimum;
    private final IntSupplier maximum;
    private final byte[] refusal;
    private final List<IntSupplier> open = new CopyOnWriteArrayList<>();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong nextReport = new AtomicLong(System.nanoTime());

    /** The default is asked for by the first connection that is not among the fewest, as that takes milliseconds. */
    private ConnectionLimit(int minimum, IntSupplier maximum, byte[] refusal) {
        this.minimum = minimum;
        this.maximum = maximum;
        this.refusal = refusal.clone();
    }

    /**
     * {@return a limit}
     *
     * @param maximum the maximum number of connections; null for what memory and descriptors are enough for
     * @param refusal the answer to one more; empty for none
     */
    public static ConnectionLimit of(Integer maximum, byte[] refusal) {
        return maximum == null ? new ConnectionLimit(MIN_CONNECTIONS, () -> Machine.MAX_CONNECTIONS, refusal)
                : new ConnectionLimit(0, () -> maximum, refusal);
    }

    /** The limit of this machine, determined at its first use. */
    private static final class Machine {

        static final int MAX_CONNECTIONS = usual(Runtime.getRuntime().maxMemory(), descriptors());

        private static long descriptors() {
            return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                    ? system.getMaxFileDescriptorCount() : Long.MAX_VALUE;
        }
    }

    static int usual(long heap, long descriptors) {
        long byMemory = heap / 2 / MEMORY_OF_ONE;
        long byDescriptors = (descriptors - OTHER_DESCRIPTORS) / DESCRIPTORS_OF_ONE;
        return (int) Math.max(MIN_CONNECTIONS, Math.min(Math.min(byMemory, byDescriptors), Integer.MAX_VALUE));
    }

    /**
     * Counts the connections of one more port.
     *
     * @param connections the number of open connections; called by threads that accept
     */
    public void count(IntSupplier connections) {
        open.add(connections);
    }

    /**
     * Returns whether a connection is within the limit. If not, sends the refusal to it; the caller closes it.
     *
     * @param stream the connection, of which nothing has been received or sent
     * @return true if it is
     */
    public boolean admits(SocketStream stream) {
        int count = 0;
        for (IntSupplier each : open) {
            count += each.getAsInt();
        }
        if (count < minimum || count < maximum.getAsInt()) {
            return true;
        }
        refuse(stream, count);
        return false;
    }

    /** {@return whether it is another one than the default, which takes milliseconds to find} */
    public boolean isChosen() {
        return minimum == 0;
    }

    /**
     * Limits the connections of a registry, which then admits no more, also of several threads that accept.
     *
     * @param connections of a server that gives what is beyond the limit to {@link #refuse}
     */
    public void setFor(dev.sluice.connection.Connections connections) {
        connections.limit(maximum.getAsInt());
    }

    /**
     * Sends the refusal to a connection, which the caller closes.
     *
     * @param stream the connection, of which nothing has been received or sent
     */
    public void refuse(SocketStream stream) {
        refuse(stream, maximum.getAsInt());
    }

    private void refuse(SocketStream stream, int count) {
        send(stream);
        report(count);
    }

    /** What the client has sent before is received, since a close with octets unread could take the answer from it. */
    private void send(SocketStream stream) {
        if (refusal.length == 0) {
            return;
        }
        try {
            stream.send(ByteBuffer.wrap(refusal));
            stream.shutdownOutput();
            stream.receive(ByteBuffer.allocate(MAX_DISCARDED));
        } catch (IOException e) {
            LOG.debug("{} was closed before it could be refused", stream, e);
        }
    }

    private void report(int count) {
        long number = rejected.incrementAndGet();
        long due = nextReport.get();
        long now = System.nanoTime();
        if (now - due >= 0 && nextReport.compareAndSet(due, now + BETWEEN_REPORTS_NANOS)) {
            LOG.warn("there are {} connections, which is the maximum; refused so far: {}", count, number);
        }
    }
}
