package dev.sluice.stages;

/** A change that a {@link StageController} requests. The stage limits it to what is possible. */
public sealed interface Decision {

    /** Changes nothing. */
    Decision NOTHING = new Nothing();

    /** See {@link #NOTHING}. */
    record Nothing() implements Decision {
    }

    /**
     * Sets the number of threads of the stage.
     *
     * @param count at least 1
     */
    record Threads(int count) implements Decision {
    }

    /**
     * Sets the maximum number of events that the handler gets in one batch: the batching factor.
     *
     * @param maxEvents at least 1
     */
    record Batch(int maxEvents) implements Decision {
    }

    /**
     * Sets the threshold of the queue.
     *
     * @param places at least 1
     */
    record Threshold(int places) implements Decision {
    }

    /**
     * Sets the number of events accepted per second, by the {@linkplain StageController#bucket() bucket} of the
     * controller. Other buckets of the stage stay as they are.
     *
     * @param perSecond events, more than 0
     */
    record Rate(double perSecond) implements Decision {
    }

    /**
     * Discards events that have waited longer than the given time.
     *
     * @param nanos in nanoseconds; {@link Long#MAX_VALUE} to discard none
     */
    record LongestWait(long nanos) implements Decision {
    }
}
