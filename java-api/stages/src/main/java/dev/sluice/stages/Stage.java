package dev.sluice.stages;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The paper's stage: an event handler with an incoming event queue, threads that take events in batches, and
 * controllers. Created by {@link StageGraph#add}. Whether a stage has threads of its own, shares a pool, runs on an
 * event loop, or runs in the enqueuing threads, is a setting; handler and graph are the same.
 *
 * <p>Each accepted event is handled, fails or is discarded, exactly once; until then it waits or is being handled.
 * Reading the counts takes no lock: each is exact by itself, but several of them are read one at a time.
 *
 * <p>The events that it holds are bounded: at most its {@link #capacity()} in the queue, a batch for each thread that
 * is in the handler, and those that the handler itself keeps.
 *
 * @param <E> the type of the events
 */
public final class Stage<E> {

    final StageGraph graph;
    private final String name;
    private final Class<E> type;
    final StageHandler<E> handler;
    final boolean exclusive;
    final boolean stoppedLast;
    final int priority;
    final StageController[] controllers;
    private final StageQueue<E> queue;
    final Edge<E> outside;
    final LongAdder rejected = new LongAdder();
    /** The edges that lead to this stage. */
    final List<Edge<?>> edgesTo = new CopyOnWriteArrayList<>();
    /** The edges that lead from this stage to others. */
    final List<Edge<?>> edgesFrom = new CopyOnWriteArrayList<>();
    final Execution execution;
    final BatchHandling<E> handling;
    final ControlledStage controlled;
    /** The stop of this stage while the graph continues to run; null before that. */
    volatile @Nullable GraphStop removal;
    /** Whether its graph has forgotten it, after its removal. */
    volatile boolean forgotten;
    final boolean timed;
    private final @Nullable ResponseTimes responses;
    /** Set before the remaining events are discarded. */
    private volatile boolean ended;

    @SuppressWarnings("this-escape") // The execution and the edge use it after construction.
    Stage(StageGraph graph, String name, Class<E> type, StageHandler<E> handler, StageOptions<E> options,
          @Nullable Edge<E> inherited) {
        this.graph = graph;
        this.name = Objects.requireNonNull(name, "name");
        this.type = Objects.requireNonNull(type, "type");
        this.handler = Objects.requireNonNull(handler, "handler");
        exclusive = handler.isExclusive();
        stoppedLast = options.last;
        priority = options.priority;
        controllers = options.controllers();
        timed = options.timed || graph.controller != null
                || Arrays.stream(controllers).anyMatch(StageController::usesTimes);
        responses = timed ? new ResponseTimes() : null;
        LesserEvents<E> lesser = options.newLesser();
        queue = new StageQueue<>(options.capacity, options.checkedThreshold(), timed, options.admissions(lesser),
                this::eventsAdded);
        if (lesser != null) {
            lesser.of(queue);
        }
        handling = new BatchHandling<>(this, queue, options, lesser, responses);
        outside = inherited == null ? new Edge<>(null, this, EventRing.OUTSIDE | EventRing.ALL) : inherited;
        execution = options.execution(this);
        controlled = new ControlledStage(this);
    }

    // For its users

    /** {@return its name, which is unique in its graph} */
    public String name() {
        return name;
    }

    /** {@return the class of its events} */
    public Class<E> type() {
        return type;
    }

    /**
     * {@return its queue, for producers outside of the graph} It is closed when the graph begins to stop. Handlers of
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

    /** {@return the maximum number of events that the handler gets in one batch: the batching factor} */
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

    /** {@return the current number of threads of its own; 0 if it has none} */
    public int threads() {
        return execution.threads();
    }

    /** {@return the number of events that it has accepted} */
    public long accepted() {
        return queue.accepted();
    }

    /** {@return the number of events that its handler has handled} */
    public long handled() {
        return handling.handled();
    }

    /** {@return the number of events that its handler has failed on} */
    public long failed() {
        return handling.failed();
    }

    /**
     * {@return the number of accepted events that were discarded: by the handler, because they were late, or at the
     * end}
     */
    public long discarded() {
        return handling.discarded();
    }

    /**
     * {@return the number of events that were rejected: because the queue was full or closed, or by an admission} An
     * event for which a producer has waited for space is not counted.
     */
    public long rejected() {
        return rejected.sum();
    }

    /**
     * {@return its response times; null unless a controller or {@link StageOptions#recordResponseTimes()} records them}
     */
    public @Nullable ResponseTimes responseTimes() {
        return responses;
    }

    /** {@return a description of the threads that run it, such as {@code own threads, at most 20}} */
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
            // A commit after the end: its events are discarded, and the handler is notified of each one.
            handling.discardRest();
        }
    }

    // Controlling, by the graph's thread for that

    /** Applies the decision of a controller; of the graph's own if the controller is null. */
    void apply(@Nullable StageController controller, Decision decision) {
        if (decision instanceof Decision.Threads threads) {
            execution.setThreads(threads.count());
        } else if (decision instanceof Decision.Batch size) {
            setBatch(Math.max(1, size.maxEvents()));
        } else if (decision instanceof Decision.Threshold threshold) {
            queue.setThreshold(Math.min(Math.max(1, threshold.places()), queue.capacity));
        } else if (decision instanceof Decision.Rate rate) {
            if (controller == null) {
                throw new IllegalArgumentException("a graph's controller has no bucket for " + rate
                        + ": it may decide on the threshold");
            }
            Objects.requireNonNull(controller.bucket(), "bucket").setRate(rate.perSecond());
        } else if (decision instanceof Decision.LongestWait wait) {
            handling.setLongestWait(wait.nanos());
        }
    }

    // For the graph

    Stream<Stage<?>> following() {
        return edgesFrom.stream().map(Edge::target);
    }

    Stream<Stage<?>> preceding() {
        return edgesTo.stream().<Stage<?>>map(edge -> edge.source)
                .filter(Objects::nonNull).filter(source -> !source.forgotten);
    }

    StageQueue<E> ownQueue() {
        return queue;
    }

    /** {@return the number of announced events that have not been added yet} */
    long announced() {
        long sum = 0;
        for (Edge<?> edge : edgesTo) {
            sum += edge.announced();
        }
        return sum;
    }

    /**
     * {@return the number of events that are announced, or for which places are reserved} To be read before the number
     * of accepted events.
     */
    long expected() {
        return announced() + queue.prepared();
    }

    /**
     * {@return the number of accepted events that were handled, failed or were discarded} To be read before the number
     * of accepted events.
     */
    long completed() {
        return handling.handled() + handling.failed() + handling.discarded();
    }

    /** Ends the stage: discards the remaining events. */
    void abandon() {
        queue.close(EventRing.ALL);
        ended = true;
        handling.discardRest();
    }
}
