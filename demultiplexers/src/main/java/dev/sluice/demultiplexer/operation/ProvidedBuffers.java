package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import dev.sluice.demultiplexer.spi.DemultiplexerSettings;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buffers for continuous receives, which take one when something arrives, so that idle connections need none. Their
 * number grows on demand. Used only inside.
 */
public final class ProvidedBuffers implements AutoCloseable {

    /** The number of the group that every connection receives into at first. */
    public static final int ORDINARY = 0;
    /** The number of the group for connections that receive much. */
    public static final int LARGE = 1;

    /**
     * The numbers and sizes of provided buffers.
     *
     * @param ordinary    the buffers for all connections
     * @param large       the buffers for connections that receive much, which use ordinary buffers if none is free;
     *                    null for none
     * @param maxRetained the maximum number of ordinary buffers, or of large ones of the same total size, that one
     *                    connection may retain, or have in flight to its handler, before its receive pauses. If this is
     *                    less than the number of ordinary buffers, no connection waits for another: a connection also
     *                    pauses when it has as many buffers as are left for all others, but not before it has
     *                    {@link #guaranteed()} buffers, for which more than that number may be allocated, or one buffer
     *                    once the buffers of all demultiplexers take half of the native memory
     */
    public record Size(BufferGroup.Size ordinary, BufferGroup.@Nullable Size large, int maxRetained) {

        /** The share of a connection, divided by the guaranteed number of buffers. */
        private static final int GUARANTEED_PART = 32;
        /** The share of a connection, divided by the number of buffers that the system is offered. */
        private static final int OFFERED_PART = 3;
        /** The number of all buffers, divided by the share of a connection. */
        private static final int DEFAULT_SHARE = 8;
        /** The size of a large buffer, divided by that of an ordinary one. */
        private static final int LARGE_FACTOR = 16;
        /** The minimum number of ordinary buffers for which there are large ones. */
        private static final int MIN_FOR_LARGE = 64;
        /** The maximum size of ordinary buffers for which there are large ones. */
        private static final int MAX_FOR_LARGE = 64 * 1024;

        private static final BufferGroup.Size DEFAULT_LARGE = new BufferGroup.Size(256 * 1024, 4, 64);

        /**
         * System property with the maximum number of buffers that one connection may retain, 1 to 1024; the default is
         * 128. With 1024 there is no limit: one peer that does not read what it is sent can stop the receives of all
         * others.
         */
        public static final String MAX_RETAINED_PROPERTY = "sluice.provided-buffers.most-kept";

        /**
         * A size for a server with thousands of connections: initially 1 MiB of ordinary buffers, at most 16 MiB, of
         * which one connection may retain 2 MiB; 64 KiB more for each connection that needs them if these do not
         * suffice; and the same sizes of large buffers, once a connection receives that much. There are few large
         * buffers initially, because all are used round-robin and should stay in the processor's cache.
         */
        public static final Size DEFAULT = new Size(new BufferGroup.Size(16 * 1024, 64, 1024), DEFAULT_LARGE, 128);

        /**
         * {@return {@link #DEFAULT}, unless changed by {@value #MAX_RETAINED_PROPERTY}}
         *
         * @throws IllegalArgumentException if that is not a number in its range
         */
        public static Size configured() {
            return new Size(DEFAULT.ordinary, DEFAULT.large,
                    IntegerProperty.of(MAX_RETAINED_PROPERTY, 1, DEFAULT.ordinary.max(), DEFAULT.maxRetained));
        }

        /**
         * {@return the size that a program has set, completed by {@link #configured()}}
         *
         * @throws IllegalArgumentException if a setting is out of its range
         */
        public static Size of(DemultiplexerSettings settings) {
            Size others = configured();
            Size set = settings.buffers() == 0 ? others
                    : of(powerOfTwo(settings.buffers()), settings.bufferSize(), others);
            return settings.retainLimit() == 0 ? set : new Size(set.ordinary, set.large, settings.retainLimit());
        }

        private static Size of(int max, int bytes, Size others) {
            BufferGroup.Size few = max >= MIN_FOR_LARGE && bytes <= MAX_FOR_LARGE
                    ? new BufferGroup.Size(bytes * LARGE_FACTOR, Math.min(DEFAULT_LARGE.initial(), max / LARGE_FACTOR),
                            max / LARGE_FACTOR) : null;
            boolean isConfigured = System.getProperty(MAX_RETAINED_PROPERTY) != null;
            return new Size(new BufferGroup.Size(bytes, Math.min(DEFAULT.ordinary.initial(), max), max), few,
                    isConfigured ? Math.min(others.maxRetained, max) : Math.max(1, max / DEFAULT_SHARE));
        }

        private static int powerOfTwo(int atLeast) {
            return atLeast == 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
        }

        /** Checks the range. */
        public Size {
            if (large != null && large.bytes() < ordinary.bytes()) {
                throw new IllegalArgumentException("provided buffers: large ones of " + large.bytes()
                        + " bytes, ordinary ones of " + ordinary.bytes());
            }
            if (maxRetained < 1 || maxRetained > ordinary.max()) {
                throw new IllegalArgumentException("provided buffers: a connection may retain " + maxRetained + " of "
                        + ordinary.max());
            }
        }

        /**
         * Creates a size of ordinary buffers alone, without a limit on the number that one connection may retain.
         *
         * @param bytes   the size of a buffer in bytes
         * @param initial the initial number of buffers
         * @param max     the maximum number of buffers
         */
        public Size(int bytes, int initial, int max) {
            this(new BufferGroup.Size(bytes, initial, max), null, max);
        }

        /** {@return whether there is a limit on the buffers that one connection may retain} */
        public boolean isLimited() {
            return maxRetained < ordinary.max();
        }

        /** {@return the number of ordinary buffers that a connection may always have, if there is a limit} */
        public int guaranteed() {
            return Math.max(1, maxRetained / GUARANTEED_PART);
        }

        /**
         * {@return the maximum number of ordinary buffers, or of large ones of the same total size, that are offered to
         * the system} The system may use all of them for one connection before the connection can be paused.
         */
        public int maxOffered() {
            return isLimited() ? Math.max(1, maxRetained / OFFERED_PART) : ordinary.max();
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(ProvidedBuffers.class);
    /** The minimum number of attempts to grow that are skipped after there was no memory for one. */
    private static final int MIN_SKIPPED = 64;

    final OperationProcessor processor;
    final BufferGroup ordinary;
    final @Nullable BufferGroup large;
    final WaitingReceives waiting;
    /**
     * Finds provided buffers that are being sent: asking the binding for an address may allocate, and each message is
     * in a different provided buffer. Replaced when buffers are added, because any thread may read it while it starts
     * an operation.
     */
    volatile Map<ByteBuffer, PooledBuffer> byView = new IdentityHashMap<>();
    boolean closed;
    /** Whether it has been logged that all buffers are retained, since there last were enough. */
    boolean exhaustionLogged;
    /** The number of ordinary buffers that have been received into and not been released. */
    int taken;
    /** The number of ordinary buffers that all connections can have together, not counting those beyond the maximum. */
    int available;

    // Derived from the size
    private final int max;
    final int maxRetained;
    final boolean limited;
    private final int guaranteed;
    final int maxOffered;

    ProvidedBuffers(OperationProcessor processor, Size size) {
        this.processor = processor;
        this.max = size.ordinary.max();
        this.available = max;
        this.maxRetained = size.maxRetained;
        this.limited = size.isLimited();
        this.guaranteed = size.guaranteed();
        this.maxOffered = size.maxOffered();
        this.waiting = new WaitingReceives(processor, this, maxRetained);
        this.ordinary = new BufferGroup(this, ORDINARY, size.ordinary, 1);
        this.large = size.large == null ? null
                : new BufferGroup(this, LARGE, size.large, size.large.bytes() / size.ordinary.bytes());
    }

    /** {@return the group that every connection receives into at first} */
    public BufferGroup ordinary() {
        return ordinary;
    }

    /** {@return the group for connections that receive much; null if there is none} */
    public @Nullable BufferGroup large() {
        return large;
    }

    /**
     * Takes a free buffer; a large one, if available, for a connection that receives much.
     *
     * @param operation the continuous receive that the buffer is for
     * @return the buffer; null if none is free and none can be added
     */
    public @Nullable PooledBuffer takeFor(OperationSlot operation) {
        BufferGroup preferred = large;
        if (preferred != null && operation.handleAssociation().prefersLargeBuffers()
                && (preferred.hasFree() || growLarge())) {
            return PooledBuffer.takeFree(preferred);
        }
        if (!ordinary.hasFree()) {
            growOrdinary(operation);
        }
        return PooledBuffer.takeFree(ordinary);
    }

    boolean isInside() {
        return processor.isInside();
    }

    Memory memory() {
        return processor.memory.ofBinding;
    }

    /**
     * Adds large buffers, as far as the maximum and the memory allow.
     *
     * @return whether buffers have been added
     */
    public boolean growLarge() {
        assert large != null;
        return grow(large, false, false);
    }

    /**
     * Adds ordinary buffers, as far as the maximum and the memory allow. The guaranteed buffers of a connection may
     * exceed the maximum, and its first one the {@link ProvidedMemory}, too.
     *
     * @param operation the continuous receive that needs a buffer
     * @return whether buffers have been added
     * @throws OutOfMemoryError if there are no buffers, and no memory for the first ones
     */
    public boolean growOrdinary(OperationSlot operation) {
        int own = operation.handleAssociation().taken;
        return grow(ordinary, limited && own < guaranteed(), ordinary.count() == 0 || limited && own == 0);
    }

    private boolean grow(BufferGroup group, boolean beyond, boolean needed) {
        if (group.skipped > 0) {
            group.skipped--;
            return false;
        }
        try {
            boolean more = group.grow(beyond, needed);
            available = ordinary.lacksMemory ? Math.min(ordinary.count(), max) : max;
            return more;
        } catch (OutOfMemoryError e) {
            if (group == ordinary && group.count() == 0) {
                throw e;
            }
            // There are other buffers, and scarce memory should not be requested for each message.
            group.skipped = Math.max(MIN_SKIPPED, group.count());
            return false;
        }
    }

    /** Adds new buffers to those that can be found by their views. */
    void addViews(List<PooledBuffer> buffers) {
        Map<ByteBuffer, PooledBuffer> views = new IdentityHashMap<>(byView);
        buffers.forEach(buffer -> views.put(buffer.buffer, buffer));
        byView = views;
    }

    /**
     * {@return whether a connection must not get more buffers before some are released} Buffers whose completions have
     * not been collected count as well, because handlers may retain all of them.
     */
    boolean hasReachedShare(HandleAssociation connection) {
        assert processor.isInside();
        int own = connection.taken;
        return limited && (own >= maxRetained || own > 0 && own >= guaranteed() && isLeftNoMoreThan(own));
    }

    /** {@return the guaranteed number of buffers of a connection: one, once all memory for buffers is in use} */
    private int guaranteed() {
        return ordinary.lacksMemory ? 1 : guaranteed;
    }

    /** {@return whether at most the given number of buffers is left for all other connections, even after growing} */
    private boolean isLeftNoMoreThan(int own) {
        while (own >= Math.min(ordinary.count(), max) - taken) {
            if (!grow(ordinary, false, false)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Logs that receives wait for retained buffers, once until most are released. Called before a wait, if all buffers
     * are in use and there are no completions to collect: then they are retained, or used by another thread.
     */
    void logExhaustion() {
        if (!exhaustionLogged && !waiting.isEmpty()) {
            exhaustionLogged = true;
            LOG.warn("{}: all {} provided buffers are retained; until some are released, {}", processor, taken,
                    limited ? "connections that retain " + guaranteed() + " are paused"
                            : "continuous receives are paused");
        }
    }

    /** {@return whether more than half of the ordinary buffers have not been released} */
    boolean isScarce() {
        return taken > available / 2;
    }

    /** Makes releases of buffers have no effect from now on. */
    void retire() {
        closed = true;
    }

    @Override
    public void close() {
        retire();
        byView = Map.of();
        try {
            ordinary.close();
        } finally {
            if (large != null) {
                large.close();
            }
        }
    }
}
