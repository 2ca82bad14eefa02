package dev.sluice.stage;

/** What a {@link StageController} wants to be changed. The stage limits it to what is possible. */
public sealed interface Decision {

    /** Everything stays as it is. */
    Decision NOTHING = new Nothing();

    /** See {@link #NOTHING}. */
    record Nothing() implements Decision {
    }

    /**
     * How many threads the stage has.
     *
     * @param count at least 1
     */
    record Threads(int count) implements Decision {
    }

    /**
     * How many events the handler gets at once: the batching factor.
     *
     * @param most at least 1
     */
    record Batch(int most) implements Decision {
    }

    /**
     * The threshold of the queue.
     *
     * @param places at least 1
     */
    record Threshold(int places) implements Decision {
    }

    /**
     * The rate of the stage's token bucket.
     *
     * @param perSecond events
     */
    record Rate(double perSecond) implements Decision {
    }

    /**
     * Events that have waited longer are discarded.
     *
     * @param nanos {@link Long#MAX_VALUE} for none
     */
    record LongestWait(long nanos) implements Decision {
    }
}
