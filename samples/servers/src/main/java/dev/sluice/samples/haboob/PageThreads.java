package dev.sluice.samples.haboob;

import dev.sluice.samples.server.VirtualThreads;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.ThreadPoolController;
import java.io.Closeable;
import java.util.concurrent.ExecutorService;

/** The threads of a stage that makes pages. */
final class PageThreads implements Closeable {

    private final int most;
    /** Null if the stage has threads of its own. */
    private final ExecutorService executor;

    /**
     * Creates them.
     *
     * @param most      their maximum number
     * @param isVirtual whether each page has a virtual thread; if not, the thread pool controller sets their number
     */
    PageThreads(int most, boolean isVirtual) {
        this.most = most;
        this.executor = isVirtual ? VirtualThreads.newExecutor() : null;
    }

    /** {@return the options of the stage, with a queue of the given capacity} */
    <E> StageOptions<E> options(int capacity) {
        StageOptions<E> options = new StageOptions<E>().capacity(capacity);
        return executor != null ? options.executor(executor, most)
                : options.ownThreads(1, most).control(new ThreadPoolController().threads(1, most));
    }

    /** To be called when the stage has ended. */
    @Override
    public void close() {
        if (executor != null) {
            executor.shutdown();
        }
    }
}
