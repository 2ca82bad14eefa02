package dev.sluice.stages;

import dev.sluice.hook.HookFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Samples a stage for its controllers: what it has done since the last sample. */
final class ControlledStage {

    private static final Logger LOG = LoggerFactory.getLogger(ControlledStage.class);
    private static final long[] NONE = {};

    private final Stage<?> stage;
    private long before;
    private long handledBefore;
    private long responsesBefore;
    private long sumBefore;

    ControlledStage(Stage<?> stage) {
        this.stage = stage;
    }

    /** Called when the stage starts: the samples do not include anything before. */
    void begin(long now) {
        before = now;
    }

    /**
     * Asks each controller for a decision, and applies it.
     *
     * @param sampled whether there must be a sample
     * @return the sample; null if none was needed
     */
    @Nullable StageSample step(long now, boolean sampled) {
        stage.ownQueue().makeUp();
        stage.execution.runAgain();
        StageController[] controllers = stage.controllers;
        if (controllers.length == 0 && !sampled) {
            return null;
        }
        StageSample sample = sample(now);
        for (StageController controller : controllers) {
            try {
                stage.apply(controller, controller.decide(sample));
            } catch (Throwable e) {
                // For example no memory for another thread. The next sample may succeed.
                HookFailure.log(LOG, controller, stage, e);
            }
        }
        return sample;
    }

    private StageSample sample(long now) {
        long handled = stage.handled() + stage.failed();
        long responses = 0;
        long sum = 0;
        long[] latest = NONE;
        if (stage.timed) {
            ResponseTimes times = stage.responseTimes();
            assert times != null;
            responses = times.count();
            sum = times.sum();
            latest = times.latest(responsesBefore, responses);
        }
        StageSample sample = new StageSample(now - before, stage.length(), stage.ownQueue().oldestWait(now),
                stage.handling.takeMinWait(), stage.execution.ownThreads(), stage.execution.longestIdle(now),
                handled - handledBefore, responses - responsesBefore, sum - sumBefore, latest);
        before = now;
        handledBefore = handled;
        responsesBefore = responses;
        sumBefore = sum;
        return sample;
    }
}
