package dev.sluice.timer;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.Nullable;

/** A queue of timers, ordered by deadline. Not thread-safe. A timer is in at most one queue. */
public interface TimerQueue {

    /** Result of {@link #earliest} for an empty queue. */
    long NEVER = Long.MAX_VALUE;

    /**
     * {@return an empty binary heap: exact, O(log n) to add and remove} Timers with the same deadline are in no
     * particular order.
     */
    @CheckReturnValue
    static TimerQueue heap() {
        return new TimerHeap();
    }

    /**
     * {@return empty hierarchical timing wheels of 512 slots and a tick of one millisecond: O(1) to add and remove} A
     * timer expires at the first tick at or after its deadline; timers of one tick are in no particular order.
     */
    @CheckReturnValue
    static TimerQueue wheel() {
        return new TimingWheel();
    }

    /**
     * Adds a timer.
     *
     * @param timer the timer, which is not in a queue
     */
    void add(Timer timer);

    /**
     * Removes a timer before it is due. Does nothing if it is not in this queue.
     *
     * @param timer the timer
     */
    void remove(Timer timer);

    /**
     * Removes a timer that is due.
     *
     * @param now the current value of the loop's clock, by default {@link System#nanoTime()}
     * @return a timer whose deadline is not after now; null if there is none
     */
    @Nullable Timer poll(long now);

    /**
     * Returns the maximum time that the event loop may wait.
     *
     * @param now the current value of the loop's clock, by default {@link System#nanoTime()}
     * @return the time in nanoseconds until a timer may be due, 0 if one is, {@link #NEVER} if the queue is empty
     */
    long earliest(long now);

    /** {@return the number of timers} */
    int size();

    /** {@return whether there are no timers} */
    default boolean isEmpty() {
        return size() == 0;
    }
}
