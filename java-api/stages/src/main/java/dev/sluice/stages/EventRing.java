package dev.sluice.stages;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The places of an event queue: a circular array for any number of producers and consumers.
 *
 * <p>One word holds the number of places claimed so far, the number of places reserved, and the producers to which the
 * ring is closed. So an enqueue claims its places, or finds the ring full or closed, in a single atomic step. Each
 * place has a sequence number: that of the next event to be added there, plus one once that event has been added.
 *
 * <p>There are more places than the capacity. So a thread that is suspended after it has claimed events to take, and
 * before it has taken them, delays producers only if the queue has been filled once in the meantime. Then they wait
 * for it, spinning.
 */
final class EventRing {

    /** Bit of a ring that is closed to producers outside of the graph. */
    static final long OUTSIDE = 1;
    /** Bit of a ring that is closed to all producers. */
    static final long ALL = 2;

    /** Maximum number of places of a ring. */
    static final int MAX_CAPACITY = 1 << 20;

    /** Returned if there is no space. */
    static final long FULL = -1;
    /** Returned if the ring is closed. */
    static final long CLOSED = -2;
    /** The limit when adding to reserved places. */
    static final int RESERVED = 0;

    private static final int PREPARED_SHIFT = 2;
    private static final int PREPARED_BITS = 21;
    private static final long PREPARED_MASK = (1L << PREPARED_BITS) - 1;
    private static final int ADDED_SHIFT = PREPARED_SHIFT + PREPARED_BITS;
    /** Positions are counted modulo a power of two, in the remaining bits of the word. */
    private static final long POSITION_MASK = -1L >>> ADDED_SHIFT;

    // Far from each other, because the first two are written by producers, and the third by consumers.
    private static final int WORD = 16;
    private static final int TAKEN_SEEN = 17;
    private static final int TAKEN = 48;
    private static final int LENGTH = 64;

    private static final int SPINS = 128;
    private static final VarHandle SEQUENCE = MethodHandles.arrayElementVarHandle(long[].class);

    private final AtomicLongArray counts = new AtomicLongArray(LENGTH);
    private final Object[] events;
    private final long[] sequences;
    /** The time at which each event was added, by {@link System#nanoTime()}; null if times are not recorded. */
    private final long @Nullable [] times;
    private final int mask;
    /** Written and read to order the surrounding accesses where there is no stack for a call. */
    private volatile long fence;

    EventRing(int capacity, boolean timed) {
        int places = Integer.highestOneBit(capacity) * 2;
        mask = places - 1;
        events = new Object[places];
        sequences = new long[places];
        times = timed ? new long[places] : null;
        for (int i = 0; i < places; i++) {
            sequences[i] = i;
        }
    }

    // Adding

    /**
     * Reserves a number of places, but no particular ones.
     *
     * @param count    the number
     * @param limit    how many may be in use with them
     * @param closures the bits that close it to the caller
     * @return {@link #FULL}, {@link #CLOSED}, or a number of at least 0 if they are reserved
     */
    long reserve(int count, int limit, long closures) {
        return claim((long) count << PREPARED_SHIFT, count, limit, closures);
    }

    /**
     * Changes the word, if there is space.
     *
     * @param change what is added to it
     * @return {@link #FULL} or {@link #CLOSED}, or the position up to which places had been claimed before
     */
    private long claim(long change, int count, int limit, long closures) {
        while (true) {
            long word = counts.get(WORD);
            if ((word & closures) != 0) {
                return CLOSED;
            }
            if (!hasSpace(word, count, limit)) {
                if (counts.get(WORD) == word) {
                    return FULL;
                }
                // Events added since may have been taken, too, and then the queue only seemed to be full.
                continue;
            }
            if (counts.compareAndSet(WORD, word, word + change)) {
                // No call is made from here on: there might be no stack for it.
                return word >>> ADDED_SHIFT;
            }
        }
    }

    /** Releases reserved places. */
    void release(int count) {
        counts.getAndAdd(WORD, -((long) count << PREPARED_SHIFT));
    }

    private boolean hasSpace(long word, int count, int limit) {
        long used = prepared(word) + count;
        // An older value can only be too small; then more places seem to be in use than are.
        if (used + distance(counts.getPlain(TAKEN_SEEN), added(word)) <= limit) {
            return true;
        }
        long taken = counts.get(TAKEN);
        counts.setPlain(TAKEN_SEEN, taken);
        return used + distance(taken, added(word)) <= limit;
    }

    /** {@return the time at which events are added; 0 if times are not recorded} */
    long now() {
        return times == null ? 0 : System.nanoTime();
    }

    /**
     * Claims places and puts events there, or changes nothing: if the stack overflows after the claim, the events are
     * put there without a call.
     *
     * @param one     the event, if there is no array
     * @param several the events, from the first element on; null for one event
     * @param count   the number
     * @param time    {@link #now()}
     * @param limit   the number of places that may be in use with them; {@link #RESERVED} for places that have been
     *                reserved
     * @param closures the bits that close it to the caller
     * @return the first of the places; or {@link #FULL}, {@link #CLOSED}
     */
    long add(@Nullable Object one, Object @Nullable [] several, int count, long time, int limit, long closures) {
        long added = (long) count << ADDED_SHIFT;
        long place = limit == RESERVED
                ? counts.getAndAdd(WORD, added - ((long) count << PREPARED_SHIFT)) >>> ADDED_SHIFT
                : claim(added, count, limit, closures);
        if (place < 0) {
            return place;
        }
        int done = 0;
        try {
            for (; done < count; done++) {
                Object event = several == null ? one : several[done];
                assert event != null;
                put(place + done, event, time);
            }
        } catch (Throwable e) {
            // The same without a call. The accesses of the volatile fence have the effect of the calls' fences.
            long ordered = 0;
            for (; done < count; done++) {
                long sequence = place + done & POSITION_MASK;
                int index = (int) sequence & mask;
                long found;
                do {
                    ordered = fence;
                    found = sequences[index];
                } while (found != sequence && (sequence - found & POSITION_MASK) <= POSITION_MASK >>> 1);
                if (found == sequence) {
                    events[index] = several == null ? one : several[done];
                    if (times != null) {
                        times[index] = time;
                    }
                    fence = ordered + 1;
                    ordered = fence;
                    sequences[index] = sequence + 1;
                    fence = ordered + 1;
                }
            }
        }
        return place;
    }

    /** Puts an event into a place that the caller has claimed. */
    private void put(long position, Object event, long time) {
        long sequence = position & POSITION_MASK;
        int index = (int) sequence & mask;
        awaitPlace(index, sequence);
        events[index] = event;
        if (times != null) {
            times[index] = time;
        }
        // Not only a release: the caller checks for sleeping threads next, which must not happen before this is
        // visible.
        SEQUENCE.setVolatile(sequences, index, sequence + 1);
    }

    private void awaitPlace(int index, long sequence) {
        int spins = 0;
        while ((long) SEQUENCE.getAcquire(sequences, index) != sequence) {
            if (++spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    // Taking

    /**
     * Takes events into an empty batch, in order, or changes nothing: if the stack overflows after they were claimed,
     * the rest is done without a call.
     *
     * @param batch     to be filled
     * @param maxEvents maximum number of events, at most the capacity of the batch
     * @return how many
     */
    int take(EventBatch<?> batch, int maxEvents) {
        while (true) {
            long first = counts.get(TAKEN);
            int count = 0;
            while (count < maxEvents && hasEventAt(first + count)) {
                count++;
            }
            if (count == 0) {
                if (counts.get(TAKEN) == first) {
                    return 0;
                }
            } else if (counts.compareAndSet(TAKEN, first, first + count)) {
                for (int i = 0; i < count; i++) {
                    int index = (int) (first + i) & mask;
                    batch.events[i] = events[index];
                    batch.times[i] = times == null ? 0 : times[index];
                    events[index] = null;
                }
                batch.filled = count;
                batch.size = count;
                int released = 0;
                try {
                    for (; released < count; released++) {
                        long sequence = first + released & POSITION_MASK;
                        SEQUENCE.setRelease(sequences, (int) sequence & mask, sequence + events.length & POSITION_MASK);
                    }
                } catch (Throwable e) {
                    fence = first;
                    long ordered = fence;
                    for (; released < count; released++) {
                        long sequence = first + released & POSITION_MASK;
                        sequences[(int) sequence & mask] = sequence + events.length & POSITION_MASK;
                    }
                    fence = ordered;
                }
                return count;
            }
        }
    }

    private boolean hasEventAt(long position) {
        long sequence = position & POSITION_MASK;
        return (long) SEQUENCE.getVolatile(sequences, (int) sequence & mask) == sequence + 1;
    }

    // Looking

    /** {@return whether there is an event to take} */
    boolean hasEvent() {
        return hasEventAt(counts.get(TAKEN));
    }

    /** {@return the number of places in use} */
    int length() {
        long taken = counts.get(TAKEN);
        long word = counts.get(WORD);
        return (int) (prepared(word) + distance(taken, added(word)));
    }

    /** {@return the number of events added since the beginning} */
    long addedCount() {
        long taken = counts.get(TAKEN);
        return taken + distance(taken, added(counts.get(WORD)));
    }

    int preparedCount() {
        return (int) prepared(counts.get(WORD));
    }

    /**
     * {@return the time at which the next event to be taken was added; the current time if there is none, or times are
     * not recorded}
     */
    long oldest(long now) {
        if (times == null) {
            return now;
        }
        long first = counts.get(TAKEN);
        if (!hasEventAt(first)) {
            return now;
        }
        long time = times[(int) first & mask];
        // In the meantime it may have been taken, and another event added in its place.
        return counts.get(TAKEN) == first ? time : now;
    }

    // The end

    /** Closes it to the producers of the given bits. */
    void close(long closures) {
        long word;
        do {
            word = counts.get(WORD);
        } while (!counts.compareAndSet(WORD, word, word | closures));
    }

    boolean isClosed(long closures) {
        return (counts.get(WORD) & closures) != 0;
    }

    private static long prepared(long word) {
        return word >>> PREPARED_SHIFT & PREPARED_MASK;
    }

    private static long added(long word) {
        return word >>> ADDED_SHIFT;
    }

    /** How far one position is from an earlier one. */
    private static long distance(long from, long to) {
        return to - from & POSITION_MASK;
    }
}
