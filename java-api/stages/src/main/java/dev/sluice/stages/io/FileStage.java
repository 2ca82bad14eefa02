package dev.sluice.stages.io;

import dev.sluice.failure.Failures;
import dev.sluice.hook.HookFailure;
import dev.sluice.proactor.Proactor;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.ThreadPoolController;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's asyncFile stage (4.2): serves the requests of {@link StagedFile}s, those of one file in order. It either
 * makes calls that wait for the disk, in threads of its own, whose number a thread pool controller sets: by default
 * initially one, at most {@value ThreadPoolController#DEFAULT_MAX}. Or it starts operations of a proactor, which are
 * performed by the system or by threads of the proactor.
 *
 * <p>Within its deadline, the graph's stop waits for the completions that a stage of the application expects. The file
 * stage itself is stopped after all stages without {@link StageOptions#stopLast()}. Then it closes all files, and
 * requests that it has not performed fail. The completion of such a request is enqueued by a thread of the stage, or by
 * the one that stops the graph, possibly after the stop has returned. It is dropped if its queue is closed by then.
 *
 * <p>Bounds: a maximum number of files, and {@link StagedFile#MAX_PENDING_REQUESTS} requests for each.
 */
public final class FileStage {

    /** Upper limit of the maximum number of files: each may use two places of the stage's queue. */
    public static final int MAX_FILES = StageOptions.MAX_CAPACITY / 2;
    /**
     * Default length of the queue above which a thread is added. The length includes the files for which a request is
     * being performed.
     */
    public static final int QUEUE_THRESHOLD = 10;

    private static final Logger LOG = LoggerFactory.getLogger(FileStage.class);

    private final int maxFiles;
    final FilePerformer performer;
    private final Stage<StagedFile> stage;
    private final Semaphore free;
    private final Set<StagedFile> open = ConcurrentHashMap.newKeySet();
    /** The queue as seen from the graph, so that it is open until the stage has ended. */
    private volatile @Nullable EventQueue<StagedFile> inside;

    private FileStage(StageGraph graph, String name, int maxFiles, FilePerformer performer,
                      StageOptions<StagedFile> options) {
        if (maxFiles < 1 || maxFiles > MAX_FILES) {
            throw new IllegalArgumentException("files: " + maxFiles + ", must be from 1 to " + MAX_FILES);
        }
        this.maxFiles = maxFiles;
        free = new Semaphore(maxFiles);
        this.performer = performer;
        stage = graph.add(name, StagedFile.class, new Handler(), options.capacity(2 * maxFiles).stopLast());
    }

    /**
     * Adds a stage whose threads wait for the disk, with the paper's parameters: one thread at first, at most
     * {@value ThreadPoolController#DEFAULT_MAX}, and a controller with a threshold of {@value #QUEUE_THRESHOLD}.
     *
     * @param graph the graph, started or not
     * @param name the name of the stage
     * @param maxFiles  maximum number of open files, from 1 to {@link #MAX_FILES}
     * @return the stage, for opening files
     * @throws IllegalArgumentException if the number is out of range, or the graph has a stage of this name
     * @throws IllegalStateException    if the graph has been stopped
     */
    public static FileStage blocking(StageGraph graph, String name, int maxFiles) {
        return blocking(graph, name, maxFiles, ThreadPoolController.DEFAULT_MIN, ThreadPoolController.DEFAULT_MAX,
                newController());
    }

    /**
     * Adds a stage whose threads wait for the disk.
     *
     * @param graph          the graph, started or not
     * @param name           the name of the stage
     * @param maxFiles       maximum number of open files, from 1 to {@link #MAX_FILES}
     * @param initialThreads initial number of threads, at least 1
     * @param maxThreads     maximum number of threads, at least the initial number
     * @param controller     sets their number between its own bounds, but not above the maximum; for this stage only
     * @return the stage, for opening files
     * @throws IllegalArgumentException if a number is out of range, or the graph has a stage of this name
     * @throws IllegalStateException    if the graph has been stopped
     */
    public static FileStage blocking(StageGraph graph, String name, int maxFiles, int initialThreads, int maxThreads,
                                     ThreadPoolController controller) {
        return new FileStage(graph, name, maxFiles, new BlockingPerformer(), new StageOptions<StagedFile>()
                .ownThreads(initialThreads, maxThreads).batch(1).control(controller));
    }

    /** {@return the paper's controller, with its queue threshold for files} */
    static ThreadPoolController newController() {
        return new ThreadPoolController().queueThreshold(QUEUE_THRESHOLD);
    }

    /**
     * Adds a stage on a proactor.
     *
     * @param graph the graph, started or not
     * @param name the name of the stage
     * @param maxFiles  maximum number of open files, from 1 to {@link #MAX_FILES}
     * @param proactor  performs the operations; the caller runs it until the graph has been stopped
     * @return the stage, for opening files
     * @throws IllegalArgumentException if the number is out of range, or the graph has a stage of this name
     * @throws IllegalStateException    if the graph has been stopped
     */
    public static FileStage on(StageGraph graph, String name, int maxFiles, Proactor proactor) {
        return new FileStage(graph, name, maxFiles, new ProactorPerformer(proactor),
                new StageOptions<StagedFile>().loop(proactor));
    }

    /**
     * {@return the number of files that are open, being opened or closed, or have completions that wait for space}
     */
    public int files() {
        return maxFiles - free.availablePermits();
    }

    // For its files

    EventQueue<StagedFile> queue() {
        EventQueue<StagedFile> own = inside;
        return own == null ? stage.queue() : own;
    }

    /**
     * Counts a file.
     *
     * @return false if the maximum number of files is open
     */
    boolean add(StagedFile file) {
        return free.tryAcquire() && open.add(file);
    }

    /**
     * Removes a file.
     *
     * @return false if it had been removed before
     */
    boolean remove(StagedFile file) {
        boolean removed = open.remove(file);
        if (removed) {
            free.release();
        }
        return removed;
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return stage.name();
    }

    /** The handler of the stage. */
    private final class Handler implements StageHandler<StagedFile> {

        @Override
        public void handleStart(StageContext context) {
            inside = context.queue(context.stage().name(), StagedFile.class);
        }

        @Override
        public void handleEvents(EventBatch<StagedFile> batch) {
            for (StagedFile file = batch.next(); file != null; file = batch.next()) {
                file.serving.serve();
            }
        }

        @Override
        public void handleFailure(@Nullable StagedFile file, Throwable cause) {
            HookFailure.log(LOG, this, file, cause);
            if (file != null) {
                file.serving.fail(cause);
            }
        }

        @Override
        public void handleDiscarded(StagedFile file) {
            file.serving.discarded();
        }

        @Override
        public void handleStop() {
            Failures.forEach(open, file -> file.serving.endOfStage());
        }

        @Override
        public String toString() {
            return "file stage " + stage;
        }
    }
}
