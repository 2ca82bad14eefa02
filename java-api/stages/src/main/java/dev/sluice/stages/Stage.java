package dev.sluice.stages;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The paper's stage: an event handler with an incoming event queue, threads that take events in batches, and
 * controllers. Stages are made by {@link StageGraph#add}. Whether one has threads of its own, shares a pool, runs on an
 * event loop, or is a call in the enqueuer's thread, is a setting; handler and graph are the same.
 *
 * <p>Each accepted event is handled, fails or is discarded, exactly once; until then it waits or is being handled.
 * Looking takes no lock: each number is exact by itself, but several of them are read one at a time.
 *
 * <p>What it holds is bounded: as many events as its {@link #capacity()} in the queue, a batch for each thread that is
 * inside the handler, and what the handler itself keeps.
 *
 * @param <E> the events
 */
public final class Stage<E> {

    final StageGraph graph;
    private final String name;
    private final Class<E> type;
    final StageHandler<E> handler;
    final boolean exclusive;
    final boolean stoppedLast;
    final StageController[] controllers;
    private final StageQueue<E> queue;
    final Edge<E> outside;
    final LongAdder refused = new LongAdder();
    /** The edges that lead to this stage. */
    final List<Edge<?>> edgesTo = new CopyOnWriteArrayList<>();
    /** The edges that lead from it to others. */
    final List<Edge<?>> edgesFrom = new CopyOnWriteArrayList<>();
    final Execution execution;
    final BatchHandling<E> handling;
    final ControlledStage controlled;
    /** The end of this stage alone, while the graph goes on; null before that. */
    volatile GraphStop removal;
    final boolean timed;
    private final ResponseTimes responses;
    /** Set before what is left is discarded. */
    private volatile boolean ended;

    @SuppressWarnings("this-escape") // The execution and the edge use it after it is there.
    Stage(StageGraph graph, String name, Class<E> type, StageHandler<E> handler, StageOptions<E> options,
          Edge<E> inherited) {
        this.graph = graph;
        this.name = Objects.requireNonNull(name, "name");
        this.type = Objects.requireNonNull(type, "type");
        this.handler = Objects.requireNonNull(handler, "handler");
        exclusive = handler.isExclusive();
        stoppedLast = options.last;
        controllers = options.controllers();
        timed = options.timed || Arrays.stream(controllers).anyMatch(StageController::usesTimes);
        responses = timed ? new ResponseTimes() : null;
        queue = new StageQueue<>(options.capacity, options.checkedThreshold(), timed, options.admissions(),
                this::eventsAdded);
        handling = new BatchHandling<>(this, queue, options, responses);
        outside = inherited == null ? new Edge<>(null, this, EventRing.OUTSIDE | EventRing.ALL) : inherited;
        execution = options.execution(this);
        controlled = new ControlledStage(this);
    }

    // For its users

    /** {@return its name, the only one in its graph} */
    public String name() {
        return name;
    }

    /** {@return the class of its events} */
    public Class<E> type() {
        return type;
    }

    /**
     * {@return its queue, for those outside of the graph} It is closed as soon as the graph begins to stop. Handlers of
     * other stages look it up, see {@link StageContext}.
     */
    public EventQueue<E> queue() {
        return outside;
    }

    /** {@return the maximum number of events that its queue holds} */
    public int capacity() {
        return queue.capacity;
    }

    /** {@return the number of places of its queue that are in use} */
    public int length() {
        return queue.length();
    }

    /** {@return the number of places that may be in use} */
    public int threshold() {
        return queue.threshold();
    }

    /**
     * Moves the threshold. Events that are in the queue stay there.
     *
     * @param events from 1 to the capacity
     * @throws IllegalArgumentException if it is out of its range
     */
    public void setThreshold(int events) {
        queue.setThreshold(Ranges.between("threshold", events, 1, queue.capacity));
    }

    /** {@return how many events the handler gets at once, at most: the batching factor} */
    public int batch() {
        return handling.batch();
    }

    /**
     * Changes the batching factor.
     *
     * @param events at least 1; limited to the capacity and to {@link StageOptions#MAX_BATCH_SIZE}
     * @throws IllegalArgumentException if it is less than 1
     */
    public void setBatch(int events) {
        handling.setBatch(Ranges.between("batch", events, 1, Integer.MAX_VALUE));
    }

    /** {@return how many threads of its own it has now; 0 if others run it} */
    public int threads() {
        return execution.threads();
    }

    /** {@return how many events it has accepted} */
    public long accepted() {
        return queue.accepted();
    }

    /** {@return how many events its handler has handled} */
    public long handled() {
        return handling.handled();
    }

    /** {@return how many events its handler has failed on} */
    public long failed() {
        return handling.failed();
    }

    /** {@return how many accepted events were not handled: left by the handler, late, or there at the end} */
    public long discarded() {
        return handling.discarded();
    }

    /**
     * {@return how many events were to be enqueued and were not accepted: by a full queue, by an admission, or because
     * it was closed} A producer that waits for space and then gets it was not refused.
     */
    public long refused() {
        return refused.sum();
    }

    /** {@return its response times; null unless a controller or {@link StageOptions#timed()} has them taken} */
    public ResponseTimes responseTimes() {
        return responses;
    }

    /** {@return what runs it, for display, such as {@code own threads, at most 20}} */
    public String runner() {
        return execution.description();
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return name;
    }

    // Running

    boolean isDirect() {
        return execution instanceof DirectExecution;
    }

    private void eventsAdded() {
        if (!ended) {
            execution.run();
        }
        if (ended) {
            // A commit after the end: its events are discarded, and the handler is notified of each.
            handling.discardRest();
        }
    }

    // Controlling, by the graph's thread for that

    /** Does what one of the controllers has decided. */
    void apply(StageController controller, Decision decision) {
        if (decision instanceof Decision.Threads threads) {
            execution.setThreads(threads.count());
        } else if (decision instanceof Decision.Batch size) {
            setBatch(Math.max(1, size.most()));
        } else if (decision instanceof Decision.Threshold threshold) {
            queue.setThreshold(Math.min(Math.max(1, threshold.places()), queue.capacity));
        } else if (decision instanceof Decision.Rate rate) {
            controller.bucket().setRate(rate.perSecond());
        } else if (decision instanceof Decision.LongestWait wait) {
            handling.setLongestWait(wait.nanos());
        }
    }

    // For the graph

    Stream<Stage<?>> following() {
        return edgesFrom.stream().map(Edge::target);
    }

    Stream<Stage<?>> preceding() {
        return edgesTo.stream().<Stage<?>>map(edge -> edge.source).filter(Objects::nonNull);
    }

    StageQueue<E> ownQueue() {
        return queue;
    }

    /** {@return how many events are announced and have not been added yet} */
    long announced() {
        long sum = 0;
        for (Edge<?> edge : edgesTo) {
            sum += edge.announced();
        }
        return sum;
    }

    /** {@return how many events places are reserved for or are announced} To be read before what was accepted. */
    long expected() {
        return announced() + queue.prepared();
    }

    /** {@return how many accepted events have come to their end} To be read before those that were accepted. */
    long completed() {
        return handling.handled() + handling.failed() + handling.discarded();
    }

    /** Nothing is taken any more, and what is left is discarded. */
    void abandon() {
        queue.close(EventRing.ALL);
        ended = true;
        handling.discardRest();
    }
}
