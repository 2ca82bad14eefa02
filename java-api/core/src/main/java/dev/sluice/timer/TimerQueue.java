package dev.sluice.timer;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.Nullable;

/** Keeps timers by deadline. One thread at a time uses a queue; a timer is in one queue at most. */
public interface TimerQueue {

    /** What {@link #earliest} returns when the queue is empty. */
    long NEVER = Long.MAX_VALUE;

    /**
     * {@return an empty binary heap: exact, O(log n) to add and remove} Timers of the same deadline come in any order.
     */
    @CheckReturnValue
    static TimerQueue heap() {
        return new TimerHeap();
    }

    /**
     * {@return empty hierarchical timing wheels of 512 slots and a tick of one millisecond: O(1) to add and remove} A
     * timer expires at the first tick at or after its deadline; timers of one tick come in any order.
     */
    @CheckReturnValue
    static TimerQueue wheel() {
        return new TimingWheel();
    }

    /**
     * Adds a timer.
     *
     * @param timer in no queue
     */
    void add(Timer timer);

    /**
     * Takes a timer out before it is due.
     *
     * @param timer nothing happens if it is not in this queue
     */
    void remove(Timer timer);

    /**
     * Takes out a timer that is due.
     *
     * @param now on the scale of the loop's clock, which is {@link System#nanoTime()} unless set
     * @return a timer whose deadline is not after now, or null if there is none
     */
    @Nullable Timer poll(long now);

    /**
     * How long the event loop may wait.
     *
     * @param now on the scale of the loop's clock, which is {@link System#nanoTime()} unless set
     * @return nanoseconds until a timer may be due, 0 if one is, {@link #NEVER} if the queue is empty
     */
    long earliest(long now);

    /** {@return the number of timers that it holds} */
    int size();

    /** {@return whether it holds no timer} */
    default boolean isEmpty() {
        return size() == 0;
    }
}
