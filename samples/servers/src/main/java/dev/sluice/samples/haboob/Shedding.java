package dev.sluice.samples.haboob;

import dev.sluice.stages.BacklogController;
import dev.sluice.stages.DelayController;
import dev.sluice.stages.MeanController;
import dev.sluice.stages.PercentileController;
import dev.sluice.stages.StageOptions;
import java.time.Duration;

/** The load shedding policy of the bottleneck, which keeps its response time near a target. */
enum Shedding {
    /** None, as long as the queue has space. */
    NONE {
        @Override
        void apply(StageOptions<?> stage, Duration target, int capacity) {
            // The queue has space for a request of each connection.
        }
    },
    /** The paper's: the threshold of the queue follows the mean response time. */
    MEAN {
        @Override
        void apply(StageOptions<?> stage, Duration target, int capacity) {
            stage.control(new MeanController(target).threshold(MeanController.DEFAULT_MIN, capacity));
        }
    },
    /** What its authors built after it: the rate of a token bucket follows the 90th percentile. */
    PERCENTILE {
        @Override
        void apply(StageOptions<?> stage, Duration target, int capacity) {
            stage.control(new PercentileController(target));
        }
    },
    /** By Little's law: the threshold of the queue is what the stage can serve within the target. */
    BACKLOG {
        @Override
        void apply(StageOptions<?> stage, Duration target, int capacity) {
            stage.control(new BacklogController(target));
        }
    },
    /** Controlled delay: requests that have waited for too long while the queue does not drain. */
    DELAY {
        @Override
        void apply(StageOptions<?> stage, Duration target, int capacity) {
            // In overload those that are served have waited nearly as long as those that are discarded.
            stage.control(new DelayController(
                    Duration.ofNanos((long) (target.toNanos() / DelayController.DEFAULT_DROP_AFTER))));
        }
    };

    /**
     * Configures a stage to shed load.
     *
     * @param stage    its options
     * @param target   for the response time, or the wait in the queue
     * @param capacity of its queue
     */
    abstract void apply(StageOptions<?> stage, Duration target, int capacity);
}
