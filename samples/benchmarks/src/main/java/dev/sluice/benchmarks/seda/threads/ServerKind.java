package dev.sluice.benchmarks.seda.threads;

import java.io.IOException;
import java.util.List;

/** The contestants. */
enum ServerKind {

    /** The stage. */
    STAGE("Sluice, one stage") {
        @Override
        TaskServer open(List<ReadTask> tasks) {
            return new OneStage(tasks);
        }
    },

    /** As in the paper's figure 2. */
    PLATFORM("platform threads") {
        @Override
        TaskServer open(List<ReadTask> tasks) throws IOException {
            return new ThreadPerTask(tasks, Thread.ofPlatform().daemon().stackSize(STACK));
        }
    },

    /** Their alternative. */
    VIRTUAL("virtual threads") {
        @Override
        TaskServer open(List<ReadTask> tasks) throws IOException {
            return new ThreadPerTask(tasks, Thread.ofVirtual());
        }
    };

    private static final long STACK = 256 * 1024;

    private final String contestant;

    ServerKind(String contestant) {
        this.contestant = contestant;
    }

    /** {@return what it is called in the report} */
    String contestant() {
        return contestant;
    }

    /**
     * Starts it.
     *
     * @param tasks all that there are
     * @return the server; the caller closes it
     * @throws IOException if the system does not let it be
     */
    abstract TaskServer open(List<ReadTask> tasks) throws IOException;
}
