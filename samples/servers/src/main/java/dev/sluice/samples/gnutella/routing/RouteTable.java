package dev.sluice.samples.gnutella.routing;

import dev.sluice.samples.gnutella.message.Guid;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Maps each of the latest GUIDs to the neighbour that has sent it. A new entry replaces the eldest one, and entries
 * expire, so that its size is fixed: all of its memory is allocated at the beginning.
 *
 * <p>The entries lie in a circle in the order in which they came, and those whose hashes are alike in a chain. May be
 * used by any thread; the lock is held for a few steps.
 */
public final class RouteTable {

    /** Returned for an unknown GUID: no neighbour has this number. */
    public static final long UNKNOWN = -1;
    /** Number of bytes that each entry takes. */
    public static final int BYTES_PER_ENTRY = 4 * Long.BYTES + 2 * Integer.BYTES;

    /** The most entries: 16 777 216. */
    public static final int MAX_ENTRIES = 1 << 24;

    private static final int NONE = -1;
    /** Of a product, the highest bits are the best mixed. */
    private static final int HASH_SHIFT = Long.SIZE - 24;

    private final long age;
    private final LongSupplier clock;
    private final long firstFactor = ThreadLocalRandom.current().nextLong() | 1;
    private final long secondFactor = ThreadLocalRandom.current().nextLong() | 1;
    private final int mask;
    private final long[] high;
    private final long[] low;
    private final long[] neighbours;
    private final long[] times;
    private final int[] next;
    private final int[] chains;
    /** Where the eldest is, if there are any. */
    private int eldest;
    private int size;

    /**
     * Creates an empty table.
     *
     * @param entries the most, a power of two up to {@link #MAX_ENTRIES}
     * @param age     after which an entry is forgotten, more than 0
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public RouteTable(int entries, Duration age) {
        this(entries, age, System::nanoTime);
    }

    RouteTable(int entries, Duration age, LongSupplier clock) {
        if (entries < 1 || entries > MAX_ENTRIES || Integer.bitCount(entries) != 1) {
            throw new IllegalArgumentException("entries: " + entries + ", must be a power of two up to "
                    + MAX_ENTRIES);
        }
        if (age.isNegative() || age.isZero()) {
            throw new IllegalArgumentException("age: " + age + ", must be more than 0");
        }
        this.age = age.toNanos();
        this.clock = clock;
        mask = entries - 1;
        high = new long[entries];
        low = new long[entries];
        neighbours = new long[entries];
        times = new long[entries];
        next = new int[entries];
        chains = new int[entries];
        Arrays.fill(chains, NONE);
    }

    /**
     * Notes where a GUID has come from, unless that is known already.
     *
     * @param guid      of a message
     * @param neighbour its number, at least 0
     * @return whether it was new
     */
    public synchronized boolean addIfNew(Guid guid, long neighbour) {
        forgetOld();
        if (find(guid) != NONE) {
            return false;
        }
        add(guid, neighbour);
        return true;
    }

    /**
     * Notes where a GUID has come from the last time. It becomes no younger by that.
     *
     * @param guid      of a servent
     * @param neighbour its number, at least 0
     */
    public synchronized void put(Guid guid, long neighbour) {
        forgetOld();
        int at = find(guid);
        if (at == NONE) {
            add(guid, neighbour);
        } else {
            neighbours[at] = neighbour;
        }
    }

    /**
     * Returns the neighbour that a GUID has come from.
     *
     * @param guid the GUID
     * @return the number of the neighbour, or {@link #UNKNOWN}
     */
    public synchronized long neighbour(Guid guid) {
        forgetOld();
        int at = find(guid);
        return at == NONE ? UNKNOWN : neighbours[at];
    }

    /** {@return the number of entries} */
    public synchronized int size() {
        forgetOld();
        return size;
    }

    private void forgetOld() {
        if (size > 0) {
            long now = clock.getAsLong();
            while (size > 0 && now - times[eldest] > age) {
                forgetEldest();
            }
        }
    }

    private void add(Guid guid, long neighbour) {
        if (size > mask) {
            forgetEldest();
        }
        int at = eldest + size & mask;
        int chain = chain(guid.high(), guid.low());
        high[at] = guid.high();
        low[at] = guid.low();
        neighbours[at] = neighbour;
        times[at] = clock.getAsLong();
        next[at] = chains[chain];
        chains[chain] = at;
        size++;
    }

    private void forgetEldest() {
        int chain = chain(high[eldest], low[eldest]);
        if (chains[chain] == eldest) {
            chains[chain] = next[eldest];
        } else {
            int at = chains[chain];
            while (next[at] != eldest) {
                at = next[at];
            }
            next[at] = next[eldest];
        }
        eldest = eldest + 1 & mask;
        size--;
    }

    private int find(Guid guid) {
        int at = chains[chain(guid.high(), guid.low())];
        while (at != NONE && (high[at] != guid.high() || low[at] != guid.low())) {
            at = next[at];
        }
        return at;
    }

    /** Neighbours choose the GUIDs; as they do not know the factors, they cannot choose those of one chain. */
    private int chain(long first, long second) {
        return (int) (first * firstFactor + second * secondFactor >>> HASH_SHIFT) & mask;
    }
}
