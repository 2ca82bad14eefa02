package dev.sluice.stages;

/**
 * The paper's dynamic resource controller: a function from samples to a decision, without a clock, a thread or a stage
 * of its own. It remembers what it has seen, so it belongs to one stage. Called by the graph's one thread for
 * controllers, every 100 ms; a controller that looks less often adds up what it is given until its time has come.
 */
@FunctionalInterface
public interface StageController {

    /**
     * Decides.
     *
     * @param sample what the stage has done since the last call
     * @return what is to be changed
     */
    Decision decide(StageSample sample);

    /**
     * {@return whether it looks at how long events have waited or taken} If no controller does, the time is not read.
     */
    default boolean usesTimes() {
        return true;
    }

    /**
     * {@return the bucket whose rate this decides, which is asked after the stage's other admissions; null if it
     * decides none}
     */
    default TokenBucket<Object> bucket() {
        return null;
    }
}
