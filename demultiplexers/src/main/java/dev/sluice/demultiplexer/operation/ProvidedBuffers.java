package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import dev.sluice.demultiplexer.spi.DemultiplexerSettings;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Buffers that continuous receives take from when something arrives, so that a thousand silent connections need none.
 * There are few at first, and more when these do not suffice. Used only inside.
 */
public final class ProvidedBuffers implements AutoCloseable {

    /** The number of the group that every connection receives into at first. */
    public static final int ORDINARY = 0;
    /** The number of the group for connections that receive much. */
    public static final int LARGE = 1;

    /**
     * The numbers and sizes of provided buffers.
     *
     * @param ordinary    for every connection
     * @param large       for connections that receive much; null if there are none. When they do not suffice, these
     *                    connections continue with ordinary ones
     * @param maxRetained the maximum number of ordinary buffers, or of large ones of the same total size, that one
     *                    connection may retain, or have in flight to its handler, before its receive pauses. If this is
     *                    less than the number of ordinary buffers, no connection ever waits for another: a connection
     *                    also pauses when it has as many buffers as are left for all others, but never before it has
     *                    {@link #guaranteed()} buffers, for which more than that number may be allocated; once the
     *                    buffers of all demultiplexers take half of the native memory, never before it has one
     */
    public record Size(BufferGroup.Size ordinary, BufferGroup.Size large, int maxRetained) {

        /** The share of a connection, divided by what it may have in any case. */
        private static final int GUARANTEED_PART = 32;
        /** The share of a connection, divided by what the system is offered. */
        private static final int OFFERED_PART = 3;
        /** All buffers, divided by the share of a connection. */
        private static final int DEFAULT_SHARE = 8;
        /** The size of a large buffer, divided by that of an ordinary one. */
        private static final int LARGE_FACTOR = 16;
        /** The number of ordinary buffers from which on there are large ones. */
        private static final int MIN_FOR_LARGE = 64;
        /** The size of ordinary buffers up to which there are large ones. */
        private static final int MAX_FOR_LARGE = 64 * 1024;

        /**
         * System property with the maximum number of buffers that one connection may retain, 1 to 1024; 128 is the
         * default. With 1024 there is no limit: one peer that does not read what it is sent can stop the receives of
         * all others.
         */
        public static final String MAX_RETAINED_PROPERTY = "sluice.provided-buffers.most-kept";

        /**
         * Suits a server with thousands of connections: 16 MiB, 1 MiB at first, of which one connection may retain 2
         * MiB, and 64 KiB for each connection that needs them when these do not suffice; and as many bytes in large
         * buffers, once a connection receives that much. The large buffers are few at first, because all are used
         * round-robin, and should stay in the processor's cache.
         */
        public static final Size DEFAULT = new Size(new BufferGroup.Size(16 * 1024, 64, 1024),
                new BufferGroup.Size(256 * 1024, 4, 64), 128);

        /**
         * {@return {@link #DEFAULT}, unless changed by {@value #MAX_RETAINED_PROPERTY}}
         *
         * @throws IllegalArgumentException if that is not a number in its range
         */
        public static Size configured() {
            return new Size(DEFAULT.ordinary, DEFAULT.large,
                    IntegerProperty.of(MAX_RETAINED_PROPERTY, 1, DEFAULT.ordinary.most(), DEFAULT.maxRetained));
        }

        /**
         * {@return what a program has set, and {@link #configured()} otherwise}
         *
         * @throws IllegalArgumentException if a setting is out of its range
         */
        public static Size of(DemultiplexerSettings settings) {
            Size others = configured();
            Size set = settings.buffers() == 0 ? others
                    : of(powerOfTwo(settings.buffers()), settings.bufferSize(), others);
            return settings.retainLimit() == 0 ? set : new Size(set.ordinary, set.large, settings.retainLimit());
        }

        private static Size of(int most, int bytes, Size others) {
            BufferGroup.Size few = most >= MIN_FOR_LARGE && bytes <= MAX_FOR_LARGE
                    ? new BufferGroup.Size(bytes * LARGE_FACTOR, Math.min(DEFAULT.large.initial(), most / LARGE_FACTOR),
                            most / LARGE_FACTOR) : null;
            boolean isConfigured = System.getProperty(MAX_RETAINED_PROPERTY) != null;
            return new Size(new BufferGroup.Size(bytes, Math.min(DEFAULT.ordinary.initial(), most), most), few,
                    isConfigured ? Math.min(others.maxRetained, most) : Math.max(1, most / DEFAULT_SHARE));
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
            if (maxRetained < 1 || maxRetained > ordinary.most()) {
                throw new IllegalArgumentException("provided buffers: a connection may retain " + maxRetained + " of "
                        + ordinary.most());
            }
        }

        /**
         * Ordinary buffers alone, without a limit on the number that one connection may retain.
         *
         * @param bytes   of one buffer
         * @param initial number of them
         * @param most    number of them
         */
        public Size(int bytes, int initial, int most) {
            this(new BufferGroup.Size(bytes, initial, most), null, most);
        }

        /** {@return whether there is a limit on the buffers that one connection may retain} */
        public boolean isLimited() {
            return maxRetained < ordinary.most();
        }

        /** {@return the number of ordinary buffers that a connection may always have, if there is a limit} */
        public int guaranteed() {
            return Math.max(1, maxRetained / GUARANTEED_PART);
        }

        /**
         * {@return the maximum number of ordinary buffers, or of large ones of the same total size, that are offered to
         * the system} The system may receive into all of these for one connection before the connection can be paused.
         */
        public int maxOffered() {
            return isLimited() ? Math.max(1, maxRetained / OFFERED_PART) : ordinary.most();
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(ProvidedBuffers.class);
    /** How often, at least, a growth is not tried after there was no memory for one. */
    private static final int MIN_SKIPPED = 64;

    final OperationProcessor processor;
    final BufferGroup ordinary;
    final BufferGroup large;
    final WaitingReceives waiting;
    /**
     * Finds what may be a provided buffer that is being sent on: asking the binding for its address may allocate, and
     * each message comes in a different provided buffer. Replaced when buffers are added, because any thread may look
     * at it while starting an operation.
     */
    volatile Map<ByteBuffer, PooledBuffer> byView = new IdentityHashMap<>();
    boolean closed;
    /** Whether it has been logged that all are kept, since there last were enough. */
    boolean exhaustionLogged;
    /** How many ordinary ones have been received into and are not back yet. */
    int taken;
    /** How many ordinary ones all connections can have together, without those beyond the limits. */
    int available;

    // What the size says and what follows from it
    private final int most;
    final int maxRetained;
    final boolean limited;
    private final int guaranteed;
    final int maxOffered;

    ProvidedBuffers(OperationProcessor processor, Size size) {
        this.processor = processor;
        this.most = size.ordinary.most();
        this.available = most;
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
    public BufferGroup large() {
        return large;
    }

    /**
     * Takes a free buffer, a large one for a connection that receives much, if there is any.
     *
     * @param operation a continuous receive, which will receive into it
     * @return the buffer, or null if there is none, and there may be no more
     */
    public PooledBuffer takeFor(OperationSlot operation) {
        if (operation.association().prefersLargeBuffers() && (large.hasFree() || growLarge())) {
            return PooledBuffer.takeFree(large);
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
     * Adds large buffers, as far as there may be more, and there is memory for them.
     *
     * @return whether there are more now
     */
    public boolean growLarge() {
        return grow(large, false, false);
    }

    /**
     * Adds ordinary buffers, as far as there may be more, and there is memory for them. For what its connection may
     * have in any case, there may always be more, and for its first one beyond the {@link ProvidedMemory}, too.
     *
     * @param operation a continuous receive that needs one
     * @return whether there are more now
     * @throws OutOfMemoryError if there are none, and no memory for the first ones
     */
    public boolean growOrdinary(OperationSlot operation) {
        int own = operation.association().taken;
        return grow(ordinary, limited && own < guaranteed(), ordinary.count() == 0 || limited && own == 0);
    }

    private boolean grow(BufferGroup group, boolean beyond, boolean needed) {
        if (group.skipped > 0) {
            group.skipped--;
            return false;
        }
        try {
            boolean more = group.grow(beyond, needed);
            available = ordinary.lacksMemory ? Math.min(ordinary.count(), most) : most;
            return more;
        } catch (OutOfMemoryError e) {
            if (group == ordinary && group.count() == 0) {
                throw e;
            }
            // There are other buffers, and memory that is short should not be requested for each message.
            group.skipped = Math.max(MIN_SKIPPED, group.count());
            return false;
        }
    }

    /** Finds the addresses of new buffers from now on. */
    void know(List<PooledBuffer> buffers) {
        Map<ByteBuffer, PooledBuffer> views = new IdentityHashMap<>(byView);
        buffers.forEach(buffer -> views.put(buffer.buffer, buffer));
        byView = views;
    }

    /**
     * {@return whether a connection must not get more buffers before some are released} Buffers whose completions have
     * not been collected yet count, too: the handlers may retain all of them.
     */
    boolean hasTakenItsShare(HandleAssociation connection) {
        assert processor.isInside();
        int own = connection.taken;
        return limited && (own >= maxRetained || own > 0 && own >= guaranteed() && isLeftNoMoreThan(own));
    }

    /** {@return how many buffers a connection may have in any case: one, once all memory for buffers is taken} */
    private int guaranteed() {
        return ordinary.lacksMemory ? 1 : guaranteed;
    }

    /** {@return whether no more are left for all others, also when there are as many as there may be memory for} */
    private boolean isLeftNoMoreThan(int own) {
        while (own >= Math.min(ordinary.count(), most) - taken) {
            if (!grow(ordinary, false, false)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Logs that receives wait for retained buffers, once until most are released. Called before a wait, when all are
     * taken and no completion is left to be collected: then they are retained, or used by another thread.
     */
    void logExhaustion() {
        if (!exhaustionLogged && !waiting.isEmpty()) {
            exhaustionLogged = true;
            LOG.warn("{}: all {} provided buffers are retained; until some are released, {}", processor, taken,
                    limited ? "connections that retain " + guaranteed() + " are paused"
                            : "continuous receives are paused");
        }
    }

    /** {@return whether more than half of the ordinary ones are not back} */
    boolean isScarce() {
        return taken > available / 2;
    }

    /** From now on buffers that come back stay out of use. */
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
