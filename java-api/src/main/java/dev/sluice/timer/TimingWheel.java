package dev.sluice.timer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A hashed timing wheel with unsorted lists (Varghese and Lauck, scheme 6): O(1) to add and remove, whatever the number
 * of timers. A timer expires at the first tick at or after its deadline; timers of one tick come in any order.
 */
public final class TimingWheel implements TimerQueue {

    private static final int DUE = -2;
    private static final long NONE = Long.MAX_VALUE;

    private final long tickNanos;
    private final long start = System.nanoTime();
    private final Timer[] slots;
    /** All ticks up to this one have been handled. */
    private long lookedAt = -1;
    /** The earliest tick of any timer, or {@link #NONE}; searched for again only when that timer leaves. */
    private long nearest = NONE;
    private boolean nearestKnown = true;
    private Timer due;
    private Timer lastDue;
    private int size;

    /** A wheel of 512 slots and a tick of one millisecond. */
    public TimingWheel() {
        this(Duration.ofMillis(1), 512);
    }

    /**
     * Makes an empty wheel.
     *
     * @param tick  the resolution, at least a microsecond
     * @param slots how many ticks one turn has, a power of two
     * @throws IllegalArgumentException if one of them is out of range
     */
    public TimingWheel(Duration tick, int slots) {
        if (tick.compareTo(Duration.ofNanos(1_000)) < 0 || tick.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("tick: " + tick);
        }
        if (slots < 2 || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("slots: " + slots + " is not a power of two");
        }
        this.tickNanos = tick.toNanos();
        this.slots = new Timer[slots];
    }

    @Override
    public void add(Timer timer) {
        long sinceStart = Math.max(timer.deadline() - start, 0);
        long tick = sinceStart / tickNanos + (sinceStart % tickNanos == 0 ? 0 : 1);
        timer.tick = Math.max(tick, lookedAt + 1);
        int slot = slot(timer.tick);
        timer.holder = this;
        timer.index = slot;
        slots[slot] = link(timer, slots[slot]);
        size++;
        if (nearestKnown) {
            nearest = Math.min(nearest, timer.tick);
        }
    }

    @Override
    public void remove(Timer timer) {
        if (timer.holder != this) {
            return;
        }
        if (timer.index == DUE) {
            lastDue = timer == lastDue ? timer.previous : lastDue;
            due = unlink(timer, due);
        } else {
            slots[timer.index] = unlink(timer, slots[timer.index]);
            nearestKnown &= timer.tick != nearest;
        }
        timer.holder = null;
        timer.index = -1;
        size--;
    }

    @Override
    public Timer poll(long now) {
        advanceTo(Math.floorDiv(now - start, tickNanos));
        Timer timer = due;
        if (timer != null) {
            remove(timer);
        }
        return timer;
    }

    // After a pause of more than one turn of the wheel, a single turn still meets every timer.
    private void advanceTo(long tick) {
        if (tick <= lookedAt) {
            return;
        }
        long from = Math.max(lookedAt + 1, tick - slots.length + 1);
        boolean overATurn = from > lookedAt + 1;
        lookedAt = tick;
        if (size == 0 || nearestKnown && nearest > tick) {
            return;
        }
        for (long t = from; t <= tick; t++) {
            int slot = slot(t);
            Timer timer = slots[slot];
            while (timer != null) {
                Timer following = timer.next;
                if (timer.tick <= tick) {
                    slots[slot] = unlink(timer, slots[slot]);
                    appendDue(timer);
                }
                timer = following;
            }
        }
        nearestKnown = false;
        if (overATurn) {
            sortDue();
        }
    }

    // The slots of one turn are in order, but a slot also holds timers that were due in earlier turns.
    private void sortDue() {
        List<Timer> timers = new ArrayList<>();
        while (due != null) {
            timers.add(due);
            due = unlink(due, due);
        }
        lastDue = null;
        timers.sort(Comparator.comparingLong(timer -> timer.tick));
        timers.forEach(this::appendDue);
    }

    private void appendDue(Timer timer) {
        timer.index = DUE;
        timer.previous = lastDue;
        if (lastDue == null) {
            due = timer;
        } else {
            lastDue.next = timer;
        }
        lastDue = timer;
    }

    @Override
    public long earliest(long now) {
        if (size == 0) {
            return NEVER;
        }
        if (due != null) {
            return 0;
        }
        if (!nearestKnown) {
            nearest = findNearest();
            nearestKnown = true;
        }
        return Math.max(start + nearest * tickNanos - now, 0);
    }

    private long findNearest() {
        long found = NONE;
        for (long t = lookedAt + 1; t <= lookedAt + slots.length && found > t; t++) {
            for (Timer timer = slots[slot(t)]; timer != null; timer = timer.next) {
                found = Math.min(found, timer.tick);
            }
        }
        return found;
    }

    @Override
    public int size() {
        return size;
    }

    private int slot(long tick) {
        return (int) tick & slots.length - 1;
    }

    private static Timer link(Timer timer, Timer head) {
        timer.previous = null;
        timer.next = head;
        if (head != null) {
            head.previous = timer;
        }
        return timer;
    }

    private static Timer unlink(Timer timer, Timer head) {
        if (timer.next != null) {
            timer.next.previous = timer.previous;
        }
        if (timer.previous != null) {
            timer.previous.next = timer.next;
        }
        Timer newHead = head == timer ? timer.next : head;
        timer.previous = null;
        timer.next = null;
        return newHead;
    }
}
