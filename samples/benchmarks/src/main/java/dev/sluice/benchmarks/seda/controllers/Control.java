package dev.sluice.benchmarks.seda.controllers;

import dev.sluice.stages.BacklogController;
import dev.sluice.stages.GlobalController;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.ThreadPoolController;
import java.time.Duration;

/** How the stages are controlled. */
enum Control {
    /** Not at all: each has one thread, and refuses what its queue has no space for. */
    NONE {
        @Override
        void apply(StageOptions<Job> stage) {
            stage.ownThreads(1, 1);
        }
    },
    /** Each stage has controllers for its threads and for its response time. */
    OWN {
        @Override
        void apply(StageOptions<Job> stage) {
            stage.ownThreads(1, MAX_THREADS).control(new ThreadPoolController().period(PERIOD))
                    .control(new BacklogController(TARGET.dividedBy(2)));
        }
    },
    /** The graph has one controller for both. */
    GLOBAL {
        @Override
        void apply(StageOptions<Job> stage) {
            stage.ownThreads(1, MAX_THREADS);
        }

        @Override
        GlobalController ofGraph() {
            return new GlobalController(MAX_THREADS, TARGET);
        }
    };

    /** For the response time of both stages together. */
    static final Duration TARGET = Duration.ofMillis(400);
    static final int MAX_THREADS = 8;
    /** As often as the global controller decides. */
    static final Duration PERIOD = Duration.ofMillis(500);

    /** Sets the options of a stage. */
    abstract void apply(StageOptions<Job> stage);

    /** {@return the controller of the graph; null if there is none} */
    GlobalController ofGraph() {
        return null;
    }
}
