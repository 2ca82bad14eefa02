package dev.sluice.timer;

import dev.sluice.failure.StackReserve;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hierarchical timing wheels (Varghese and Lauck, scheme 7): O(1) to add and remove, independent of the number of
 * timers. A timer expires at the first tick at or after its deadline; timers of one tick are in no particular order.
 *
 * <p>The hands of the wheels show the number of ticks since the start, one digit each, like those of a clock. A timer
 * is in the wheel of the highest digit that must still change until it is due. When that hand reaches the timer, it is
 * moved to a wheel of a lower digit. So it is moved at most once per wheel, and a hand never reaches timers of a later
 * revolution. Ticks without timers take no time.
 */
final class TimingWheel implements TimerQueue {

    private static final int WAITING = 0;
    private static final int DUE = 1;
    private static final int ELSEWHERE = -1;

    private final long tickNanos;
    /** The start time: that of the creation, or if the first call is {@link #poll}, that of this call. */
    private long start = System.nanoTime();
    private boolean started;
    /** The wheels, lower digits first: all timers of one are due before those of the next. */
    private final Wheel[] wheels;
    private final int bitsOfDigit;
    /** The tick that the hands show; all ticks up to this one have been processed. */
    private long lookedAt;
    private @Nullable Timer due;
    private @Nullable Timer lastDue;
    private int size;

    /** Creates wheels of 512 slots with a tick of one millisecond. */
    TimingWheel() {
        this(Duration.ofMillis(1), 512);
    }

    /**
     * Creates empty wheels, as many as are needed for all deadlines.
     *
     * @param tick  the resolution, at least a microsecond
     * @param slots the number of slots of each wheel, a power of two; more slots take more memory, but reduce the
     *              number of wheels that a timer is moved through
     * @throws IllegalArgumentException if an argument is out of range
     */
    TimingWheel(Duration tick, int slots) {
        if (tick.compareTo(Duration.ofNanos(1_000)) < 0 || tick.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("tick: " + tick);
        }
        if (slots < 2 || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("slots: " + slots + " is not a power of two");
        }
        this.tickNanos = tick.toNanos();
        this.bitsOfDigit = Integer.numberOfTrailingZeros(slots);
        this.wheels = new Wheel[digit(Long.MAX_VALUE / tickNanos + 1) + 1];
        for (int digit = 0; digit < wheels.length; digit++) {
            wheels[digit] = new Wheel(slots, digit * bitsOfDigit);
        }
    }

    @Override
    public void add(Timer timer) {
        StackReserve.require();
        started = true;
        long sinceStart = Math.max(timer.deadline() - start, 0);
        long tick = sinceStart / tickNanos + (sinceStart % tickNanos == 0 ? 0 : 1);
        timer.tick = Math.max(tick, lookedAt + 1);
        timer.holder = this;
        timer.index = WAITING;
        wheel(timer).add(timer);
        size++;
    }

    @Override
    public void remove(Timer timer) {
        if (timer.holder != this) {
            return;
        }
        StackReserve.require();
        if (timer.index == DUE) {
            lastDue = timer == lastDue ? timer.previous : lastDue;
            due = timer.unlink(due);
        } else {
            wheel(timer).remove(timer);
        }
        timer.holder = null;
        timer.index = ELSEWHERE;
        size--;
    }

    @Override
    public @Nullable Timer poll(long now) {
        if (!started) {
            start = now;
            started = true;
        }
        advanceTo(Math.floorDiv(now - start, tickNanos));
        Timer timer = due;
        if (timer != null) {
            remove(timer);
        }
        return timer;
    }

    private void advanceTo(long tick) {
        if (tick <= lookedAt) {
            return;
        }
        for (Wheel wheel = firstInUse(); wheel != null; wheel = firstInUse()) {
            long next = wheel.next(lookedAt);
            if (next > tick) {
                break;
            }
            lookedAt = next;
            distribute(wheel.take(next));
        }
        lookedAt = tick;
    }

    private void distribute(@Nullable Timer first) {
        Timer timer = first;
        while (timer != null) {
            Timer following = timer.next;
            if (timer.tick == lookedAt) {
                appendDue(timer);
            } else {
                wheel(timer).add(timer);
            }
            timer = following;
        }
    }

    private void appendDue(Timer timer) {
        timer.index = DUE;
        timer.previous = lastDue;
        timer.next = null;
        if (lastDue == null) {
            due = timer;
        } else {
            lastDue.next = timer;
        }
        lastDue = timer;
    }

    @Override
    public long earliest(long now) {
        if (due != null) {
            return 0;
        }
        Wheel first = firstInUse();
        return first == null ? NEVER : Math.max(start + first.nearest(lookedAt) * tickNanos - now, 0);
    }

    @Override
    public int size() {
        return size;
    }

    private @Nullable Wheel firstInUse() {
        for (Wheel wheel : wheels) {
            if (!wheel.isEmpty()) {
                return wheel;
            }
        }
        return null;
    }

    /** {@return the wheel of a timer that is not due, which does not change until the hand of that wheel reaches it} */
    private Wheel wheel(Timer timer) {
        return wheels[digit(timer.tick ^ lookedAt)];
    }

    private int digit(long highestBit) {
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(highestBit)) / bitsOfDigit;
    }
}
