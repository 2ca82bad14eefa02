package dev.sluice.mechanism.operation;

import dev.sluice.calls.Memory;
import dev.sluice.failure.Failures;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Buffers that continuous receives take from when something arrives, so that a thousand silent connections need none.
 * There are few at first, and more when these do not suffice. Used only inside.
 */
public final class ProvidedBuffers implements AutoCloseable {

    /** The number of the group that every connection receives into at first. */
    public static final int ORDINARY = 0;
    /** The number of the group for connections that bring much. */
    public static final int LARGE = 1;

    /**
     * How many there may be.
     *
     * @param ordinary for every connection
     * @param large    for connections that bring much; null if there are none. When they do not suffice, these
     *                 connections go on with ordinary ones
     * @param mostKept how many ordinary ones, or large ones of together as many bytes, one connection may keep, or have
     *                 on their way to its handler, before its receive pauses; if this is less than there may be, it may
     *                 also keep no more ordinary ones than it leaves for the others
     */
    public record Size(BufferGroup.Size ordinary, BufferGroup.Size large, int mostKept) {

        /**
         * System property with the number of buffers that one connection may keep, 1 to 1024; 128 is the default. With
         * 1024 there is no limit: one peer that does not read what it is sent can stop the receives of all others.
         */
        public static final String MOST_KEPT_PROPERTY = "sluice.provided-buffers.most-kept";

        /**
         * Suits a server with thousands of connections: 16 MiB at most, 1 MiB at first, of which one connection may
         * keep 2 MiB; and as many bytes in large ones, once some connection brings so much. The large ones are few at
         * first, because all are used in turn, and should stay in the processor's cache.
         */
        public static final Size DEFAULT = new Size(new BufferGroup.Size(16 * 1024, 64, 1024),
                new BufferGroup.Size(256 * 1024, 4, 64), 128);

        /**
         * {@return {@link #DEFAULT}, unless changed by {@value #MOST_KEPT_PROPERTY}}
         *
         * @throws IllegalArgumentException if that is not a number in its range
         */
        public static Size configured() {
            return new Size(DEFAULT.ordinary, DEFAULT.large,
                    IntegerProperty.of(MOST_KEPT_PROPERTY, 1, DEFAULT.ordinary.most(), DEFAULT.mostKept));
        }

        /** Checks the range. */
        public Size {
            if (large != null && large.bytes() < ordinary.bytes()) {
                throw new IllegalArgumentException("provided buffers: large ones of " + large.bytes()
                        + " bytes, ordinary ones of " + ordinary.bytes());
            }
            if (mostKept < 1 || mostKept > ordinary.most()) {
                throw new IllegalArgumentException("provided buffers: a connection may keep " + mostKept + " of "
                        + ordinary.most());
            }
        }

        /**
         * Ordinary buffers alone, without a limit on how many one connection may keep.
         *
         * @param bytes   of one buffer
         * @param initial number of them
         * @param most    number of them
         */
        public Size(int bytes, int initial, int most) {
            this(new BufferGroup.Size(bytes, initial, most), null, most);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(ProvidedBuffers.class);
    private static final int LOOKS = 4;

    private final OperationProcessor processor;
    private final Size size;
    private final BufferGroup ordinary;
    private final BufferGroup large;
    private final ArrayDeque<NativeOperation> starving = new ArrayDeque<>();
    /** Connections that have paused because others have taken most of the buffers. Some may have gone on since. */
    private final ArrayDeque<HandleAssociation> awaitingOthers = new ArrayDeque<>();
    /** Replaced when buffers are added, because any thread may look at it while starting an operation. */
    private volatile Map<ByteBuffer, PooledBuffer> byView = new IdentityHashMap<>();
    private boolean closed;
    /** Whether it has been logged that all are kept, since there last were enough. May be used by any thread. */
    private final AtomicBoolean told = new AtomicBoolean();
    /** How many ordinary ones have been received into and are not back yet. */
    private int taken;
    /** How many ordinary ones are kept. May be used by any thread. */
    private final AtomicInteger kept = new AtomicInteger();

    ProvidedBuffers(OperationProcessor processor, Size size) {
        this.processor = processor;
        this.size = size;
        this.ordinary = new BufferGroup(this, ORDINARY, size.ordinary, 1);
        this.large = size.large == null ? null
                : new BufferGroup(this, LARGE, size.large, size.large.bytes() / size.ordinary.bytes());
    }

    /** {@return the group that every connection receives into at first} */
    BufferGroup ordinary() {
        return ordinary;
    }

    /**
     * {@return a group}
     *
     * @param number its number; {@link #LARGE} only if there is such a group
     */
    public BufferGroup group(int number) {
        return number == LARGE ? large : ordinary;
    }

    /**
     * {@return the group that suits what its connection has brought until now}
     *
     * @param operation a continuous receive
     */
    public BufferGroup groupFor(NativeOperation operation) {
        assert processor.isInside();
        return large != null && operation.association().bringsMuch() ? large : ordinary;
    }

    /**
     * Learns what {@link #groupFor} suits its connection.
     *
     * @param operation a continuous receive
     * @param bytes     that it has brought at once
     * @param more      whether there were more, or it would take a call to know
     */
    public void brought(NativeOperation operation, int bytes, boolean more) {
        if (large != null) {
            operation.association().received(bytes > ordinary.bytes() || bytes == ordinary.bytes() && more);
        }
    }

    boolean isInside() {
        return processor.isInside();
    }

    Memory memory() {
        return processor.memory();
    }

    /**
     * Adds large buffers, as far as there may be more, and there is memory for them.
     *
     * @return whether there are more now
     */
    public boolean growLarge() {
        return grow(large);
    }

    /**
     * Adds ordinary buffers, as far as there may be more, and there is memory for them.
     *
     * @return whether there are more now
     * @throws OutOfMemoryError if there are none, and no memory for the first ones
     */
    public boolean growOrdinary() {
        return grow(ordinary);
    }

    private boolean grow(BufferGroup group) {
        if (group.refused) {
            return false;
        }
        try {
            return group.grow();
        } catch (OutOfMemoryError e) {
            if (group == ordinary && group.count() == 0) {
                throw e;
            }
            // There are others, and whoever is short of memory should not be asked with each message.
            group.refused = true;
            return false;
        }
    }

    /** A group has grown. */
    void added(List<PooledBuffer> buffers) {
        buffers.forEach(processor::provide);
        Map<ByteBuffer, PooledBuffer> views = new IdentityHashMap<>(byView);
        buffers.forEach(buffer -> views.put(buffer.buffer(), buffer));
        byView = views;
    }

    /**
     * Finds the address of what may be a provided buffer that is being sent on: asking the binding may allocate, and
     * each message comes in a different provided buffer. May be called by any thread.
     *
     * @param view any buffer
     * @return the address of its index 0, or -1 if it is not a provided buffer
     */
    long address(ByteBuffer view) {
        PooledBuffer known = byView.get(view);
        return known == null ? -1 : known.address();
    }

    void await(NativeOperation operation) {
        assert processor.isInside();
        starving.add(operation);
    }

    /** The operation's connection has taken its share. */
    void pause(NativeOperation operation) {
        HandleAssociation connection = operation.association();
        connection.paused = operation;
        if (connection.taken < size.mostKept) {
            awaitOthers(connection);
        }
    }

    /** That is its share only because others have taken most of the rest: what they give back may be enough. */
    private void awaitOthers(HandleAssociation connection) {
        if (!connection.awaitsOthers) {
            connection.awaitsOthers = true;
            awaitingOthers.add(connection);
        }
    }

    /** {@return whether a connection keeps so many buffers that it must not get more} */
    boolean keepsItsShare(HandleAssociation connection) {
        return isShare(connection.kept.get(), kept.get());
    }

    /**
     * {@return whether a connection must not get more before some are back} Buffers that nobody has collected yet
     * count, too: if completions arrive faster than they are collected, all of them may turn out to be kept.
     */
    boolean hasTakenItsShare(HandleAssociation connection) {
        assert processor.isInside();
        return isShare(connection.taken, taken);
    }

    private boolean isShare(int own, int all) {
        int most = size.ordinary.most();
        return own > 0 && size.mostKept < most && (own >= size.mostKept || own >= most - all);
    }

    void taken(HandleAssociation connection, BufferGroup group) {
        assert processor.isInside();
        connection.taken += group.places();
        if (group == ordinary) {
            taken++;
        }
    }

    // Open to any thread

    void kept(HandleAssociation connection, BufferGroup group) {
        connection.kept.addAndGet(group.places());
        if (group == ordinary && kept.incrementAndGet() == size.ordinary.most() && told.compareAndSet(false, true)) {
            LOG.warn("{}: all of its {} provided buffers are kept, so continuous receives wait until some are released",
                    processor, size.ordinary.most());
        }
    }

    void released(HandleAssociation connection, BufferGroup group) {
        connection.kept.addAndGet(-group.places());
        if (group == ordinary && kept.decrementAndGet() == size.ordinary.most() / 2) {
            told.set(false);
        }
    }

    // Only inside

    void leave(NativeOperation operation) {
        assert processor.isInside();
        starving.remove(operation);
    }

    void release(PooledBuffer buffer, Command later) {
        if (processor.enterInside()) {
            try {
                giveBack(buffer);
            } finally {
                processor.leaveInside();
            }
        } else {
            processor.command(later);
        }
    }

    /**
     * Takes back a buffer that nothing has been received into, or that is no longer needed.
     *
     * @param buffer the buffer
     */
    public void giveBack(PooledBuffer buffer) {
        assert processor.isInside();
        if (closed) {
            return;
        }
        HandleAssociation connection = buffer.forget();
        if (connection != null) {
            connection.taken -= buffer.group().places();
            if (buffer.group() == ordinary && --taken == 0) {
                ordinary.refused = false;
            }
        }
        processor.provide(buffer);
        passOn(buffer.group());
        // Not as soon as the first one is back, since pausing may cost a system call.
        if (connection != null && connection.paused != null && connection.taken <= size.mostKept / 2) {
            resumeOrAwaitOthers(connection);
        }
        if (!awaitingOthers.isEmpty()) {
            resumeSome();
        }
    }

    private void resumeOrAwaitOthers(HandleAssociation connection) {
        if (hasTakenItsShare(connection)) {
            awaitOthers(connection);
        } else {
            NativeOperation resumed = connection.paused;
            connection.paused = null;
            processor.toBegin(resumed);
        }
    }

    /**
     * While buffers are scarce, a few of those that await others have a look for each that is back: a thousand of them
     * would take more time than the buffers. Once most are back, all do.
     */
    private void resumeSome() {
        boolean scarce = taken > size.ordinary.most() / 2;
        int looks = scarce ? Math.min(LOOKS, awaitingOthers.size()) : awaitingOthers.size();
        for (int i = 0; i < looks; i++) {
            HandleAssociation connection = awaitingOthers.poll();
            connection.awaitsOthers = false;
            // Unless it has been resumed, or cancelled, meanwhile.
            if (connection.paused != null) {
                resumeOrAwaitOthers(connection);
            }
        }
    }

    /**
     * Makes a starving operation try again, because a buffer has come back, or a resumed operation no longer needs one.
     */
    void passOn() {
        NativeOperation next = starving.poll();
        if (next != null) {
            processor.toBegin(next);
        }
    }

    /** Large buffers are of use only to connections that bring much; ordinary ones are to all. */
    private void passOn(BufferGroup group) {
        if (group == ordinary) {
            passOn();
            return;
        }
        for (NativeOperation each : starving) {
            if (each.association().bringsMuch()) {
                starving.remove(each);
                processor.toBegin(each);
                return;
            }
        }
    }

    /** From now on buffers that come back stay out of use. */
    void retire() {
        closed = true;
    }

    @Override
    public void close() {
        retire();
        Failures failures = new Failures();
        failures.guard(ordinary::close);
        if (large != null) {
            failures.guard(large::close);
        }
        byView = Map.of();
        failures.throwKept();
    }
}
