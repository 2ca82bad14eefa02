package dev.sluice.stages;

import dev.sluice.eventloop.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a stage: its queue, the threads that run it, and its controllers. A stage copies the settings when it is
 * added to a graph; later changes have no effect. For use by one thread. Since admissions and controllers belong to one
 * stage, use an object for each stage.
 *
 * @param <E> the type of the events
 */
public final class StageOptions<E> {

    /** Maximum capacity: 1 048 576 events. */
    public static final int MAX_CAPACITY = EventRing.MAX_CAPACITY;
    /** Default capacity of a queue. */
    public static final int DEFAULT_CAPACITY = 1024;
    /** Default maximum number of events that a handler gets in one batch. */
    public static final int DEFAULT_BATCH_SIZE = 64;
    /** Maximum size of a batch. The capacity of a stage limits its batches as well. */
    public static final int MAX_BATCH_SIZE = BatchingController.MAX;
    /** Default initial number of threads of a stage with threads of its own. */
    public static final int DEFAULT_THREADS = 1;

    private static final int MAX_THREADS = 1 << 16;

    int capacity = DEFAULT_CAPACITY;
    private int threshold;
    int batch = DEFAULT_BATCH_SIZE;
    int priority;
    private final List<Admission<? super E>> admissions = new ArrayList<>();
    /** Returns true for events that are rejected first; null for none. */
    private @Nullable Predicate<? super E> lesser;
    private final List<StageController> controllers = new ArrayList<>();
    boolean last;
    boolean timed;
    /** Creates the execution of the stage. */
    private @Nullable StageThreads running;

    /** Creates the defaults: a queue for {@link #DEFAULT_CAPACITY} events, one thread, no controllers. */
    public StageOptions() {
        ownThreads(DEFAULT_THREADS, ThreadPoolController.DEFAULT_MAX);
    }

    // The queue

    /**
     * Sets the maximum number of events that the queue holds. Memory for twice as many references is allocated with it.
     *
     * @param events from 1 to {@link #MAX_CAPACITY}
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public StageOptions<E> capacity(int events) {
        capacity = Ranges.between("capacity", events, 1, MAX_CAPACITY);
        return this;
    }

    /**
     * Sets the initial number of events that the queue accepts; by default its capacity.
     *
     * @param events from 1 to the capacity, which is checked when the stage is added
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public StageOptions<E> threshold(int events) {
        threshold = Ranges.between("threshold", events, 1, MAX_CAPACITY);
        return this;
    }

    /**
     * Adds an admission. Admissions are called in the order in which they were added.
     *
     * @param admission the admission; belongs to the stage
     * @return this
     */
    public StageOptions<E> admission(Admission<? super E> admission) {
        admissions.add(Objects.requireNonNull(admission, "admission"));
        return this;
    }

    /**
     * Rejects some events first when the stage cannot keep up, so that the others are rejected as late as possible:
     * Welsh and Culler's two classes of requests, by the limits that the controllers of the stage set. An event of the
     * first class is rejected if more than half of the {@linkplain #threshold threshold} is in use, or if less than
     * half of the burst is left in the bucket of a controller; or it is discarded after half of the longest wait.
     *
     * @param lesserEvents returns true for events that are rejected first; called by the threads that enqueue, where
     *                     its exceptions are thrown, and by those of the stage, where they are logged
     * @return this
     */
    public StageOptions<E> rejectFirst(Predicate<? super E> lesserEvents) {
        lesser = Objects.requireNonNull(lesserEvents, "lesserEvents");
        return this;
    }

    // Its threads

    /**
     * Runs the stage on daemon threads of its own: the paper's stage.
     *
     * @param initialThreads initial number of threads, at least 1
     * @param maxThreads     maximum number that a controller may choose, at least the initial number
     * @return this
     * @throws IllegalArgumentException if one of them is out of range
     */
    public StageOptions<E> ownThreads(int initialThreads, int maxThreads) {
        return runBy(initialThreads, maxThreads, stage -> new StageThreadFactory(stage.name()));
    }

    /**
     * Runs the stage on threads of its own.
     *
     * @param initialThreads initial number of threads, at least 1
     * @param maxThreads     maximum number that a controller may choose, at least the initial number
     * @param threadFactory creates the threads, for example virtual ones
     * @return this
     * @throws IllegalArgumentException if one of the numbers is out of range
     */
    public StageOptions<E> ownThreads(int initialThreads, int maxThreads, ThreadFactory threadFactory) {
        Objects.requireNonNull(threadFactory, "threadFactory");
        return runBy(initialThreads, maxThreads, stage -> threadFactory);
    }

    private StageOptions<E> runBy(int initialThreads, int maxThreads,
                                  Function<Stage<?>, ThreadFactory> threadFactory) {
        Ranges.between("threads", initialThreads, 1, MAX_THREADS);
        Ranges.between("maximum threads", maxThreads, initialThreads, MAX_THREADS);
        running = stage -> new OwnThreads(stage, initialThreads, maxThreads, threadFactory.apply(stage));
        return this;
    }

    /**
     * Runs the stage on a pool that it shares with other stages.
     *
     * @param shared the pool
     * @return this
     */
    public StageOptions<E> pool(StagePool shared) {
        return threads(shared);
    }

    /**
     * Runs the stage on the threads that a manager chooses.
     *
     * @param manager for this stage and others
     * @return this
     */
    public StageOptions<E> threads(StageThreads manager) {
        running = Objects.requireNonNull(manager, "manager");
        return this;
    }

    /**
     * Runs each batch as a task of an executor, such as one with a virtual thread for each task; with batches of {@link
     * #batch one event}, each event has a thread to block. If the executor rejects a task, the stage has ended: events
     * that wait are discarded.
     *
     * @param executor the caller closes it after the graph has been stopped
     * @param maxTasks maximum number of tasks at the same time, at least 1
     * @return this
     * @throws IllegalArgumentException if there are none
     */
    public StageOptions<E> executor(Executor executor, int maxTasks) {
        Objects.requireNonNull(executor, "executor");
        Ranges.between("tasks", maxTasks, 1, Integer.MAX_VALUE);
        return threads(stage -> new ExecutorTasks(stage, executor, maxTasks));
    }

    /**
     * Sets the priority in a shared pool: stages with higher numbers come first.
     *
     * @param number any value; 0 by default
     * @return this
     */
    public StageOptions<E> priority(int number) {
        priority = number;
        return this;
    }

    /**
     * Runs the stage on an event loop, as one task for each batch. Its handler must not block. Only one thread at a
     * time calls it, even if several run the loop. If the loop ends, so does the stage: pending events are discarded.
     *
     * @param eventLoop the loop; the caller runs it
     * @return this
     */
    public StageOptions<E> loop(EventLoop eventLoop) {
        Objects.requireNonNull(eventLoop, "eventLoop");
        running = stage -> new LoopExecution(stage, eventLoop);
        return this;
    }

    /**
     * Runs the stage in the threads that enqueue events: a module boundary that is not a thread boundary. Direct stages
     * must not call each other in a cycle.
     *
     * @return this
     */
    public StageOptions<E> direct() {
        running = DirectExecution::new;
        return this;
    }

    /**
     * Stops the stage after all stages without this option: for a stage that other stages use without looking up its
     * queue.
     *
     * @return this
     */
    public StageOptions<E> stopLast() {
        last = true;
        return this;
    }

    // What controls it

    /**
     * Sets the maximum number of events that the handler gets in one batch. If each of them takes long, a size of 1 is
     * better: no other thread takes events of a batch, none of them is discarded for having waited too long, and
     * controllers count them as handled only once the whole batch has been.
     *
     * @param events from 1 to {@link #MAX_BATCH_SIZE}
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public StageOptions<E> batch(int events) {
        batch = Ranges.between("batch", events, 1, MAX_BATCH_SIZE);
        return this;
    }

    /**
     * Adds a controller, which adjusts the stage.
     *
     * @param controller the controller; belongs to the stage
     * @return this
     */
    public StageOptions<E> control(StageController controller) {
        controllers.add(Objects.requireNonNull(controller, "controller"));
        return this;
    }

    /**
     * Records its {@linkplain Stage#responseTimes() response times}, even if no controller uses them. That costs two
     * reads of the clock for each event.
     *
     * @return this
     */
    public StageOptions<E> recordResponseTimes() {
        timed = true;
        return this;
    }

    // For the stage

    int checkedThreshold() {
        return threshold == 0 ? capacity : Ranges.between("threshold", threshold, 1, capacity);
    }

    /** {@return those that are rejected first, for one stage; null for none} */
    @Nullable LesserEvents<E> newLesser() {
        return lesser == null ? null : new LesserEvents<>(lesser);
    }

    StageController[] controllers() {
        return controllers.toArray(StageController[]::new);
    }

    /**
     * {@return the admissions added, followed by the buckets of the controllers}
     *
     * @param first rejects some events before the others; null for none
     */
    @SuppressWarnings("unchecked") // The list contains only such admissions.
    Admission<? super E>[] admissions(@Nullable LesserEvents<E> first) {
        List<Admission<? super E>> all = new ArrayList<>();
        if (first != null) {
            all.add(first);
        }
        all.addAll(admissions);
        for (StageController controller : controllers) {
            TokenBucket<Object> bucket = controller.bucket();
            if (bucket != null) {
                all.add(first == null ? bucket : first.tokens(bucket));
            }
        }
        return all.toArray(Admission[]::new);
    }

    Execution execution(Stage<E> stage) {
        assert running != null;
        Execution execution = Objects.requireNonNull(running.execution(stage), "the thread manager returned null");
        if (execution.stage != stage) {
            throw new IllegalArgumentException("the thread manager returned an execution of " + execution.stage
                    + " for " + stage + ": each stage needs a new one");
        }
        return execution;
    }
}
