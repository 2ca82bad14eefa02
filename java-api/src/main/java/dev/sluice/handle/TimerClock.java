package dev.sluice.handle;

import dev.sluice.calls.layout.TimerfdConstants;

/** What a {@link Timerfd} goes by. */
public enum TimerClock {

    /** Time that has passed while the machine was not suspended; nobody can set it. */
    MONOTONIC(TimerfdConstants.CLOCK_MONOTONIC),
    /** Time that has passed, also while the machine was suspended; nobody can set it. */
    BOOTTIME(TimerfdConstants.CLOCK_BOOTTIME),
    /** The time of day, which may be set. */
    REALTIME(TimerfdConstants.CLOCK_REALTIME);

    private final int number;

    TimerClock(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
