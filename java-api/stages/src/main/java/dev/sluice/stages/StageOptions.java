package dev.sluice.stages;

import dev.sluice.eventloop.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

/**
 * How a stage is to be: its queue, who runs it, and what controls it. A stage takes what has been set when it is added
 * to a graph; changing it afterwards changes nothing. For one thread, and because admissions and controllers belong to
 * one stage, for one stage.
 *
 * @param <E> the events
 */
public final class StageOptions<E> {

    /** The largest capacity: 1 048 576 events. */
    public static final int MOST_CAPACITY = EventRing.MOST_PLACES;
    /** The capacity of a queue, unless told otherwise. */
    public static final int CAPACITY = 1024;
    /** How many events a handler gets at once, unless told otherwise. */
    public static final int BATCH = 64;
    /**
     * The largest batch that any controller can choose. A stage whose capacity is less has no larger batches either.
     */
    public static final int MOST_BATCH = BatchingController.MOST;
    /** How many threads a stage begins with that has its own, unless told otherwise. */
    public static final int THREADS = 1;

    private static final int MOST_THREADS = 1 << 16;

    int capacity = CAPACITY;
    private int threshold;
    int batch = BATCH;
    private int priority;
    private final List<Admission<? super E>> admissions = new ArrayList<>();
    private final List<StageController> controllers = new ArrayList<>();
    boolean last;
    boolean timed;
    /** Makes what runs the stage. */
    private Function<Stage<E>, Execution> running;

    /** A queue for {@link #CAPACITY} events, one thread of its own, no controllers. */
    public StageOptions() {
        ownThreads(THREADS, ThreadPoolController.MOST);
    }

    // The queue

    /**
     * How many events the queue holds at most. Memory for twice as many references is allocated with it.
     *
     * @param events from 1 to {@link #MOST_CAPACITY}
     * @return this
     * @throws IllegalArgumentException if it is out of its range
     */
    public StageOptions<E> capacity(int events) {
        capacity = Ranges.between("capacity", events, 1, MOST_CAPACITY);
        return this;
    }

    /**
     * How many events the queue lets in at first; unless this is called, as many as its capacity.
     *
     * @param events from 1 to the capacity, which is checked when the stage is added
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public StageOptions<E> threshold(int events) {
        threshold = Ranges.between("threshold", events, 1, MOST_CAPACITY);
        return this;
    }

    /**
     * Has an admission decide about events. Those given are asked one after the other.
     *
     * @param admission belongs to the stage
     * @return this
     */
    public StageOptions<E> admission(Admission<? super E> admission) {
        admissions.add(Objects.requireNonNull(admission, "admission"));
        return this;
    }

    // Who runs it

    /**
     * Has threads of its own run it, which are daemons: the paper's stage.
     *
     * @param first how many at first, at least 1
     * @param most  how many a controller may let it have, not less
     * @return this
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public StageOptions<E> ownThreads(int first, int most) {
        return runBy(first, most, stage -> new StageThreadFactory(stage.name()));
    }

    /**
     * Has threads of its own run it.
     *
     * @param first how many at first, at least 1
     * @param most  how many a controller may let it have, not less
     * @param maker makes them, such as virtual ones
     * @return this
     * @throws IllegalArgumentException if one of the numbers is out of its range
     */
    public StageOptions<E> ownThreads(int first, int most, ThreadFactory maker) {
        Objects.requireNonNull(maker, "maker");
        return runBy(first, most, stage -> maker);
    }

    private StageOptions<E> runBy(int first, int most, Function<Stage<E>, ThreadFactory> maker) {
        Ranges.between("threads", first, 1, MOST_THREADS);
        Ranges.between("most threads", most, first, MOST_THREADS);
        running = stage -> new OwnThreads(stage, first, most, maker.apply(stage));
        return this;
    }

    /**
     * Has a pool run it that it shares with other stages.
     *
     * @param shared the pool
     * @return this
     */
    public StageOptions<E> pool(StagePool shared) {
        Objects.requireNonNull(shared, "shared");
        running = stage -> new PoolShare(stage, shared, priority);
        return this;
    }

    /**
     * Which stages of a shared pool come first: those with the higher numbers.
     *
     * @param number of any value; 0 unless told otherwise
     * @return this
     */
    public StageOptions<E> priority(int number) {
        priority = number;
        return this;
    }

    /**
     * Has an event loop run it, as one task for each batch. Its handler must not block. Only one thread at a time is
     * inside, even if many run the loop. If the loop ends, so does the stage: what waits is discarded.
     *
     * @param eventLoop the loop; who made it runs it
     * @return this
     */
    public StageOptions<E> loop(EventLoop eventLoop) {
        Objects.requireNonNull(eventLoop, "eventLoop");
        running = stage -> new LoopExecution(stage, eventLoop);
        return this;
    }

    /**
     * Has those run it who enqueue events: a module boundary that is no thread boundary. Direct stages must not call
     * each other in a circle.
     *
     * @return this
     */
    public StageOptions<E> direct() {
        running = DirectExecution::new;
        return this;
    }

    /**
     * Has the stage be stopped after all those that have not asked for this: for what other stages use without looking
     * up its queue.
     *
     * @return this
     */
    public StageOptions<E> stoppedLast() {
        last = true;
        return this;
    }

    // What controls it

    /**
     * How many events the handler gets at once, at most. Where each of them takes long, they are better taken one by
     * one: no other thread takes what is in a batch, nothing is discarded from it for having waited too long, and
     * controllers see what has been handled when the batch has.
     *
     * @param events from 1 to {@link #MOST_BATCH}
     * @return this
     * @throws IllegalArgumentException if it is out of its range
     */
    public StageOptions<E> batch(int events) {
        batch = Ranges.between("batch", events, 1, MOST_BATCH);
        return this;
    }

    /**
     * Has a controller adjust it.
     *
     * @param controller belongs to the stage
     * @return this
     */
    public StageOptions<E> control(StageController controller) {
        controllers.add(Objects.requireNonNull(controller, "controller"));
        return this;
    }

    /**
     * Has its {@linkplain Stage#responseTimes() response times} be taken, even if no controller looks at them. That
     * costs two looks at the clock for each event.
     *
     * @return this
     */
    public StageOptions<E> timed() {
        timed = true;
        return this;
    }

    // For the stage

    int checkedThreshold() {
        return threshold == 0 ? capacity : Ranges.between("threshold", threshold, 1, capacity);
    }

    StageController[] controllers() {
        return controllers.toArray(StageController[]::new);
    }

    @SuppressWarnings("unchecked") // An array of what the list has.
    Admission<? super E>[] admissions(Collection<TokenBucket<E>> buckets) {
        List<Admission<? super E>> all = new ArrayList<>(admissions);
        all.addAll(buckets);
        return all.toArray(Admission[]::new);
    }

    Execution execution(Stage<E> stage) {
        return running.apply(stage);
    }
}
