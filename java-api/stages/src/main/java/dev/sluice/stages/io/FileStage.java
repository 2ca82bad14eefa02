package dev.sluice.stages.io;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's asyncFile stage (4.2): serves the requests of {@link StagedFile}s, those of one file one after the other.
 * Either by calls that wait for the disk, in threads of its own, whose number the thread pool controller governs:
 * unless told otherwise one at first, {@value ThreadPoolController#MOST} at most. Or by the operations of a proactor,
 * which has the system do it, or threads of its own.
 *
 * <p>A stage of the application for which a request is under way is not ended by a stop before it has the completion,
 * within the deadline. The file stage itself is stopped after all stages that have not asked for the same. Then it
 * closes all files, and what it has not performed fails. A completion of such a request comes from a thread of the
 * stage, or from the one that stops the graph, and perhaps after the stop has returned. It is dropped if the queue that
 * it goes to is closed by then.
 *
 * <p>Bounds: so many files, and {@link StagedFile#MAX_PENDING_REQUESTS} requests for each.
 */
public final class FileStage {

    /** The most files there can be: each may use two places of the stage's queue. */
    public static final int MAX_FILES = StageOptions.MOST_CAPACITY / 2;
    /**
     * A queue that is longer gets another thread, unless told otherwise. Files that wait count, and those for which
     * something is being performed.
     */
    public static final int QUEUE_THRESHOLD = 10;

    private static final Logger LOG = LoggerFactory.getLogger(FileStage.class);

    private final int mostFiles;
    final FilePerformer performer;
    private final Stage<StagedFile> stage;
    private final Semaphore free;
    private final Set<StagedFile> open = ConcurrentHashMap.newKeySet();
    /** From the inside, so that it is open until the stage has ended. */
    private volatile EventQueue<StagedFile> inside;

    private FileStage(StageGraph graph, String name, int mostFiles, FilePerformer performer,
                      StageOptions<StagedFile> options) {
        if (mostFiles < 1 || mostFiles > MAX_FILES) {
            throw new IllegalArgumentException("files: " + mostFiles + ", must be from 1 to " + MAX_FILES);
        }
        this.mostFiles = mostFiles;
        free = new Semaphore(mostFiles);
        this.performer = performer;
        stage = graph.add(name, StagedFile.class, new Handler(), options.capacity(2 * mostFiles).stoppedLast());
    }

    /**
     * Adds a stage whose threads wait for the disk, with the paper's parameters: one thread at first, at most
     * {@value ThreadPoolController#MOST}, and a controller with a threshold of {@value #QUEUE_THRESHOLD}.
     *
     * @param graph     which has not been started
     * @param name      of the stage
     * @param mostFiles how many files may be open, from 1 to {@link #MAX_FILES}
     * @return what files need
     * @throws IllegalArgumentException if the number is out of its range, or the graph has a stage of this name
     * @throws IllegalStateException    if the graph has been started
     */
    public static FileStage blocking(StageGraph graph, String name, int mostFiles) {
        return blocking(graph, name, mostFiles, ThreadPoolController.LEAST, ThreadPoolController.MOST,
                newController());
    }

    /**
     * Adds a stage whose threads wait for the disk.
     *
     * @param graph       which has not been started
     * @param name        of the stage
     * @param mostFiles   how many files may be open, from 1 to {@link #MAX_FILES}
     * @param first       how many threads there are at first, at least 1
     * @param mostThreads how many there may be, not less
     * @param controller  governs their number between its own bounds, and not above that; of this stage only
     * @return what files need
     * @throws IllegalArgumentException if a number is out of its range, or the graph has a stage of this name
     * @throws IllegalStateException    if the graph has been started
     */
    public static FileStage blocking(StageGraph graph, String name, int mostFiles, int first, int mostThreads,
                                     ThreadPoolController controller) {
        return new FileStage(graph, name, mostFiles, new BlockingPerformer(), new StageOptions<StagedFile>()
                .ownThreads(first, mostThreads).batch(1).control(controller));
    }

    /** {@return the paper's, with the threshold that it has for files} */
    static ThreadPoolController newController() {
        return new ThreadPoolController().queueThreshold(QUEUE_THRESHOLD);
    }

    /**
     * Adds a stage on a proactor.
     *
     * @param graph     which has not been started
     * @param name      of the stage
     * @param mostFiles how many files may be open, from 1 to {@link #MAX_FILES}
     * @param proactor  performs the operations; who made it runs it until the graph has been stopped
     * @return what files need
     * @throws IllegalArgumentException if the number is out of its range, or the graph has a stage of this name
     * @throws IllegalStateException    if the graph has been started
     */
    public static FileStage on(StageGraph graph, String name, int mostFiles, Proactor proactor) {
        return new FileStage(graph, name, mostFiles, new ProactorPerformer(proactor),
                new StageOptions<StagedFile>().loop(proactor));
    }

    /**
     * {@return how many files are open, are being opened or closed, or have completions that there is no room for}
     */
    public int files() {
        return mostFiles - free.availablePermits();
    }

    // For its files

    EventQueue<StagedFile> queue() {
        EventQueue<StagedFile> own = inside;
        return own == null ? stage.queue() : own;
    }

    /** {@return whether there may be another file; then it is counted} */
    boolean add(StagedFile file) {
        return free.tryAcquire() && open.add(file);
    }

    /** {@return whether it was there} */
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

    /** Its logic. */
    private final class Handler implements StageHandler<StagedFile> {

        @Override
        public void handleStart(StageContext context) {
            inside = context.queue(stage);
        }

        @Override
        public void handleEvents(EventBatch<StagedFile> batch) {
            for (StagedFile file = batch.next(); file != null; file = batch.next()) {
                file.serve();
            }
        }

        @Override
        public void handleFailure(StagedFile file, Throwable cause) {
            HookFailure.log(LOG, this, file, cause);
            if (file != null) {
                file.fail(cause);
            }
        }

        @Override
        public void handleDiscarded(StagedFile file) {
            file.abandon();
        }

        @Override
        public void handleStop() {
            open.forEach(StagedFile::endOfStage);
        }

        @Override
        public long mostKept() {
            // Each file may be closed whatever waits.
            return (StagedFile.MAX_PENDING_REQUESTS + 1L) * mostFiles;
        }

        @Override
        public String toString() {
            return "file stage " + stage;
        }
    }
}
