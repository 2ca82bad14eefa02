package dev.sluice.stages;

import org.jspecify.annotations.Nullable;

/**
 * The paper's dynamic resource controller: a function from samples to a decision, without a clock, a thread or a stage
 * of its own. It keeps state between the calls, so it belongs to one stage. Called by the thread of the graph's
 * controllers every 100 ms; a controller with a longer period accumulates the samples.
 */
@FunctionalInterface
public interface StageController {

    /**
     * Decides on a change of the stage.
     *
     * @param sample the activity of the stage since the last call
     * @return the change
     */
    Decision decide(StageSample sample);

    /** {@return whether it uses the waits or response times of events} If no controller does, they are not recorded. */
    default boolean usesTimes() {
        return true;
    }

    /**
     * {@return the bucket whose rate this controls, which is called after the stage's other admissions; null if there
     * is none}
     */
    default @Nullable TokenBucket<Object> bucket() {
        return null;
    }
}
