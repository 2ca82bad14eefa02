package dev.sluice.timer;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A wheel of a {@link TimingWheel}. It has a slot for each position of its hand, with the timers that are due while the
 * hand is there, in no particular order. All timers are ahead of the hand and in the same revolution, so the slots are
 * ordered by time.
 *
 * <p>Times are ticks. A time that is passed to a method is the current time, which the hand shows.
 */
final class Wheel {

    private static final long NONE = Long.MAX_VALUE;

    private final int shift;
    private final @Nullable Timer[] slots;
    private final BitSet occupied;
    /** The earliest tick of any timer, or {@link #NONE}; determined again only after that timer has been removed. */
    private long nearest = NONE;
    private boolean nearestKnown = true;

    /**
     * Creates an empty wheel.
     *
     * @param slots the number of slots, a power of two
     * @param shift the binary logarithm of the number of ticks per slot
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

    /** {@return the tick at which the hand reaches the next slot with timers; there must be one} */
    long next(long now) {
        Timer any = slots[occupied.nextSetBit(slot(now))];
        assert any != null;
        return any.tick >> shift << shift;
    }

    /**
     * Removes all timers from the slot that the hand has reached.
     *
     * @return its timers, still linked with each other
     */
    @Nullable Timer take(long now) {
        int slot = slot(now);
        Timer timers = slots[slot];
        slots[slot] = null;
        forget(slot, true);
        return timers;
    }

    /** {@return the earliest tick of its timers; there must be one} */
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
