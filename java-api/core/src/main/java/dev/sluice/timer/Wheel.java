package dev.sluice.timer;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One of the wheels of a {@link TimingWheel}: a slot for each time that its hand may point to, each with the timers
 * that are due while the hand points there, in no order. All of them lie ahead of the hand, and in one turn, so that
 * slots are in the order of time.
 *
 * <p>Times are ticks. Where a method takes one, it is the time at which the hand stands.
 */
final class Wheel {

    private static final long NONE = Long.MAX_VALUE;

    private final int shift;
    private final @Nullable Timer[] slots;
    private final BitSet occupied;
    /** The earliest tick of any timer, or {@link #NONE}; searched for again only when that timer leaves. */
    private long nearest = NONE;
    private boolean nearestKnown = true;

    /**
     * Creates an empty wheel.
     *
     * @param slots the number of slots, a power of two
     * @param shift the binary logarithm of how many ticks the hand points to a slot
     */
    Wheel(int slots, int shift) {
        this.shift = shift;
        this.slots = new Timer[slots];
        this.occupied = new BitSet(slots);
    }

    boolean isEmpty() {
        return occupied.isEmpty();
    }

    void add(Timer timer) {
        int slot = slot(timer.tick);
        Timer head = slots[slot];
        timer.previous = null;
        timer.next = head;
        if (head == null) {
            occupied.set(slot);
        } else {
            head.previous = timer;
        }
        slots[slot] = timer;
        if (nearestKnown) {
            nearest = Math.min(nearest, timer.tick);
        }
    }

    void remove(Timer timer) {
        int slot = slot(timer.tick);
        slots[slot] = timer.unlink(slots[slot]);
        forget(slot, timer.tick == nearest);
    }

    private void forget(int slot, boolean nearestLeft) {
        if (slots[slot] == null) {
            occupied.clear(slot);
        }
        nearestKnown &= !nearestLeft;
        if (isEmpty()) {
            nearest = NONE;
            nearestKnown = true;
        }
    }

    /** {@return when the hand comes to the next slot with timers, if there is one} */
    long next(long now) {
        Timer any = slots[occupied.nextSetBit(slot(now))];
        assert any != null;
        return any.tick >> shift << shift;
    }

    /**
     * Empties the slot that the hand has come to.
     *
     * @return its timers, linked with one another as they were
     */
    @Nullable Timer take(long now) {
        int slot = slot(now);
        Timer timers = slots[slot];
        slots[slot] = null;
        forget(slot, true);
        return timers;
    }

    /** {@return the earliest tick of its timers, if there is one} */
    long nearest(long now) {
        if (!nearestKnown) {
            nearest = NONE;
            for (Timer timer = slots[occupied.nextSetBit(slot(now))]; timer != null; timer = timer.next) {
                nearest = Math.min(nearest, timer.tick);
            }
            nearestKnown = true;
        }
        return nearest;
    }

    private int slot(long tick) {
        return (int) (tick >> shift) & slots.length - 1;
    }
}
