package dev.sluice.benchmarks.run;

import java.time.Duration;

/** The scale of a measurement. */
public enum Scale {

    /** Runs each suite once, for as short a time as possible: a check that it works, not a measurement. */
    SMALLEST(1, Duration.ZERO, Duration.ofMillis(20)),

    /** All tables within twenty minutes, with fewer points and rounds. */
    QUICK(1, Duration.ofMillis(300), Duration.ofMillis(300)),

    /** The scale of a published report. */
    FULL(9, Duration.ofMillis(500), Duration.ofSeconds(1));

    private final int rounds;
    private final Duration warmUp;
    private final Duration measured;

    Scale(int rounds, Duration warmUp, Duration measured) {
        this.rounds = rounds;
        this.warmUp = warmUp;
        this.measured = measured;
    }

    /** {@return how often each trial is measured, unless its suite says otherwise} */
    public int rounds() {
        return rounds;
    }

    /** {@return how long a trial runs before it is measured, unless its suite says otherwise} */
    public Duration warmUp() {
        return warmUp;
    }

    /** {@return how long a trial is measured in one round, unless its suite says otherwise} */
    public Duration measured() {
        return measured;
    }

    /**
     * {@return one of three, by the scale}
     *
     * @param <T>      what they are
     * @param smallest for {@link #SMALLEST}
     * @param quick    for {@link #QUICK}
     * @param full     for {@link #FULL}
     */
    public <T> T choose(T smallest, T quick, T full) {
        return switch (this) {
            case SMALLEST -> smallest;
            case QUICK -> quick;
            case FULL -> full;
        };
    }
}
