package dev.sluice.samples.haboob;

import dev.sluice.stages.StageOptions;
import dev.sluice.stages.ThreadPoolController;

/** Determines which of the stages that never block are thread boundaries. */
enum StageBoundaries {
    /** None: each is a call, and only stages that may block have queues. */
    COARSE {
        @Override
        <E> StageOptions<E> options(int capacity) {
            return new StageOptions<E>().capacity(capacity).direct();
        }
    },
    /** All of them: each has a queue and threads of its own, as in the paper. */
    PAPER {
        @Override
        <E> StageOptions<E> options(int capacity) {
            return threads(capacity);
        }
    };

    /** {@return the options of a stage that never blocks, with a queue of the given capacity} */
    abstract <E> StageOptions<E> options(int capacity);

    /** {@return the options of a stage with threads of its own, whose number the thread pool controller sets} */
    static <E> StageOptions<E> threads(int capacity) {
        return new StageOptions<E>().capacity(capacity).ownThreads(1, ThreadPoolController.DEFAULT_MAX)
                .control(new ThreadPoolController());
    }
}
