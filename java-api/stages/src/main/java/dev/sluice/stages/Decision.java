package dev.sluice.stages;

/** A change that a {@link StageController} requests. The stage limits it to what is possible. */
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
     * How many events per second get in, by the {@linkplain StageController#bucket() bucket} of the controller. Other
     * buckets of the stage stay as they are.
     *
     * @param perSecond events, more than 0
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
