package dev.sluice.mechanism.operation;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
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

    /**
     * How many there may be.
     *
     * @param bytes    of one buffer
     * @param initial  number of them
     * @param most     number of them, a power of two and at most 32768, as io_uring needs it
     * @param mostKept how many of them one connection may keep, or have on their way to its handler, before its receive
     *                 pauses; if this is less than {@code most}, it may also keep no more than it leaves for the others
     */
    public record Size(int bytes, int initial, int most, int mostKept) {

        /**
         * System property with the number of buffers that one connection may keep, 1 to 1024; 128 is the default. With
         * 1024 there is no limit: one peer that does not read what it is sent can stop the receives of all others.
         */
        public static final String MOST_KEPT_PROPERTY = "sluice.provided-buffers.most-kept";

        /**
         * Suits a server with thousands of connections: 16 MiB at most, 1 MiB at first, of which one connection may
         * keep 2 MiB.
         */
        public static final Size DEFAULT = new Size(16 * 1024, 64, 1024, 128);

        /**
         * {@return {@link #DEFAULT}, unless changed by {@value #MOST_KEPT_PROPERTY}}
         *
         * @throws IllegalArgumentException if that is not a number in its range
         */
        public static Size configured() {
            return new Size(DEFAULT.bytes, DEFAULT.initial, DEFAULT.most,
                    IntegerProperty.of(MOST_KEPT_PROPERTY, 1, DEFAULT.most, DEFAULT.mostKept));
        }

        /** Checks the range. */
        public Size {
            if (bytes < 1 || initial < 1 || most < initial || most > 1 << 15 || Integer.bitCount(most) != 1
                    || mostKept < 1 || mostKept > most) {
                throw new IllegalArgumentException("provided buffers: " + bytes + " bytes, " + initial + " to " + most
                        + ", of which a connection may keep " + mostKept);
            }
        }

        /**
         * Buffers without a limit on how many one connection may keep.
         *
         * @param bytes   of one buffer
         * @param initial number of them
         * @param most    number of them
         */
        public Size(int bytes, int initial, int most) {
            this(bytes, initial, most, most);
        }

        /** {@return how many buffers to add to those present: as many again, if one block of memory can hold them} */
        int growth(int present) {
            int wanted = present == 0 ? initial : Math.min(present, most - present);
            return Math.min(wanted, Math.max(1, LARGEST_SLAB / bytes));
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(ProvidedBuffers.class);

    /** In bytes; less than the most that {@link Memory#allocate(int)} can allocate. */
    private static final int LARGEST_SLAB = 1 << 30;

    private final OperationProcessor processor;
    private final Size size;
    private final List<MemoryBlock> slabs = new ArrayList<>();
    private final List<PooledBuffer> buffers = new ArrayList<>();
    private final ArrayDeque<NativeOperation> starving = new ArrayDeque<>();
    /** Replaced when buffers are added, because any thread may look at it while starting an operation. */
    private volatile Map<ByteBuffer, PooledBuffer> byView = new IdentityHashMap<>();
    private boolean closed;
    /** Whether it has been logged that all are kept, since there last were enough. May be used by any thread. */
    private final AtomicBoolean told = new AtomicBoolean();
    /** How many have been received into and are not back yet. */
    private int taken;
    /** How many are kept. May be used by any thread. */
    private final AtomicInteger kept = new AtomicInteger();

    ProvidedBuffers(OperationProcessor processor, Size size) {
        this.processor = processor;
        this.size = size;
    }

    /** {@return the size: how many there may be, and how large} */
    public Size size() {
        return size;
    }

    /**
     * Finds a buffer.
     *
     * @param number its {@link PooledBuffer#number()}
     * @return the buffer
     */
    public PooledBuffer get(int number) {
        assert processor.isInside();
        return buffers.get(number);
    }

    /** {@return how many there are, numbered from 0} */
    public int count() {
        return buffers.size();
    }

    /**
     * Doubles the number of buffers, as far as that is allowed and fits into one block of memory.
     *
     * @return whether there are more now
     */
    public boolean grow() {
        assert processor.isInside();
        int more = size.growth(buffers.size());
        if (more == 0) {
            return false;
        }
        MemoryBlock slab = processor.memory().allocate(more * size.bytes);
        slabs.add(slab);
        for (int i = 0; i < more; i++) {
            int at = i * size.bytes;
            PooledBuffer buffer = new PooledBuffer(this, slab.buffer().slice(at, size.bytes), slab.address() + at,
                    buffers.size());
            buffers.add(buffer);
            processor.provide(buffer);
        }
        Map<ByteBuffer, PooledBuffer> views = new IdentityHashMap<>();
        buffers.forEach(buffer -> views.put(buffer.buffer(), buffer));
        byView = views;
        return true;
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
        return own > 0 && size.mostKept < size.most && (own >= size.mostKept || own >= size.most - all);
    }

    void taken(HandleAssociation connection) {
        assert processor.isInside();
        connection.taken++;
        taken++;
    }

    // Open to any thread

    void kept(HandleAssociation connection) {
        connection.kept.incrementAndGet();
        if (kept.incrementAndGet() == size.most && told.compareAndSet(false, true)) {
            LOG.warn("{}: all of its {} provided buffers are kept, so continuous receives wait until some are released",
                    processor, size.most);
        }
    }

    void released(HandleAssociation connection) {
        connection.kept.decrementAndGet();
        if (kept.decrementAndGet() == size.most / 2) {
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
            connection.taken--;
            taken--;
        }
        processor.provide(buffer);
        passOn();
        if (connection != null && connection.paused != null && mayResume(connection)) {
            NativeOperation resumed = connection.paused;
            connection.paused = null;
            processor.toBegin(resumed);
        }
    }

    /** Not as soon as the first one is back, since pausing may cost a system call. */
    private boolean mayResume(HandleAssociation connection) {
        int own = connection.taken;
        return own == 0 || own <= size.mostKept / 2 && own < size.most - taken;
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

    /** From now on buffers that come back stay out of use. */
    void retire() {
        closed = true;
    }

    @Override
    public void close() {
        retire();
        slabs.forEach(MemoryBlock::close);
        // A program that still holds the closed demultiplexer must not keep the memory alive.
        slabs.clear();
        buffers.clear();
        byView = Map.of();
    }
}
