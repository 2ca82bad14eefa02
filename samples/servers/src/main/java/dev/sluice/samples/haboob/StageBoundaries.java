package dev.sluice.samples.haboob;

import dev.sluice.stages.StageOptions;
import dev.sluice.stages.ThreadPoolController;

/** Which of the stages that never block are thread boundaries. */
enum StageBoundaries {
    /** None: each is a call, and queues are only before what may block. */
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

    /** {@return how a stage is to be that has threads of its own, governed by the thread pool controller} */
    static <E> StageOptions<E> threads(int capacity) {
        return new StageOptions<E>().capacity(capacity).ownThreads(1, ThreadPoolController.DEFAULT_MAX)
                .control(new ThreadPoolController());
    }
}
