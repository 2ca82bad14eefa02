package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(Stage.class);

    final StageGraph graph;
    private final String name;
    private final Class<E> type;
    final StageHandler<E> handler;
    final boolean exclusive;
    final boolean stoppedLast;
    /** Whether its events may have become pointless while they waited. */
    private final boolean expiring;
    /** Whether its events may hold something. */
    private final boolean releasing;
    final StageController[] controllers;
    private final StageQueue<E> queue;
    final Edge<E> outside;
    /** The edges that lead to this stage. */
    final List<Edge<?>> edgesTo = new CopyOnWriteArrayList<>();
    /** The edges that lead from it to others. */
    final List<Edge<?>> edgesFrom = new CopyOnWriteArrayList<>();
    final Execution execution;
    private final ObjectPool<EventBatch<E>> spareBatches;
    private final int maxBatch;
    final boolean timed;
    private final ResponseTimes responses;
    private final AtomicLong minWait = new AtomicLong(Long.MAX_VALUE);
    private volatile long longestWait = Long.MAX_VALUE;
    private volatile int batch;
    private final AtomicLong handled = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong discarded = new AtomicLong();
    /** Set before what is left is discarded. */
    private volatile boolean ended;
    /** The batches that a thread has left for lack of stack or memory, to be finished by the next one. */
    private volatile EventBatch<E> unfinished;
    private final Object unfinishedLock = new Object();

    @SuppressWarnings("this-escape") // The execution and the edge use it after it is there.
    Stage(StageGraph graph, String name, Class<E> type, StageHandler<E> handler, StageOptions<E> options) {
        this.graph = graph;
        this.name = Objects.requireNonNull(name, "name");
        this.type = Objects.requireNonNull(type, "type");
        this.handler = Objects.requireNonNull(handler, "handler");
        exclusive = handler.isExclusive();
        stoppedLast = options.last;
        expiring = ExpiringEvent.class.isAssignableFrom(type) || type.isAssignableFrom(ExpiringEvent.class);
        releasing = ReleasableEvent.class.isAssignableFrom(type) || !Modifier.isFinal(type.getModifiers());
        controllers = options.controllers();
        timed = options.timed || Arrays.stream(controllers).anyMatch(StageController::usesTimes);
        responses = timed ? new ResponseTimes() : null;
        maxBatch = Math.min(options.capacity, StageOptions.MAX_BATCH_SIZE);
        batch = Math.min(maxBatch, options.batch);
        spareBatches = new ObjectPool<>(() -> new EventBatch<>(maxBatch, responses, expiring));
        // So that a single thread never needs memory for one.
        spareBatches.giveBack(spareBatches.take());
        queue = new StageQueue<>(options.capacity, options.checkedThreshold(), timed, options.admissions(),
                this::eventsAdded);
        outside = new Edge<>(null, this, EventRing.OUTSIDE | EventRing.ALL);
        execution = options.execution(this);
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
        return batch;
    }

    /**
     * Changes the batching factor.
     *
     * @param events at least 1; limited to the capacity and to {@link StageOptions#MAX_BATCH_SIZE}
     * @throws IllegalArgumentException if it is less than 1
     */
    public void setBatch(int events) {
        batch = Math.min(maxBatch, Ranges.between("batch", events, 1, Integer.MAX_VALUE));
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
        return handled.get();
    }

    /** {@return how many events its handler has failed on} */
    public long failed() {
        return failed.get();
    }

    /** {@return how many accepted events were not handled: left by the handler, late, or there at the end} */
    public long discarded() {
        return discarded.get();
    }

    /**
     * {@return how many events were to be enqueued and were not accepted: by a full queue, by an admission, or because
     * it was closed} A producer that waits for space and then gets it was not refused.
     */
    public long refused() {
        return edgesTo.stream().mapToLong(Edge::refused).sum();
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

    boolean hasEvent() {
        return unfinished != null || queue.hasEvent();
    }

    private void eventsAdded() {
        if (!ended) {
            execution.run();
        }
        if (ended) {
            // A commit after the end: its events are discarded, and the handler is notified of each.
            discardRest();
        }
    }

    /**
     * Takes a batch and has it handled.
     *
     * @param threads how many threads there are that may do the same, so that each gets a share
     * @return how many events it took
     */
    int runBatch(int threads) {
        return runBatch(share(threads), false);
    }

    private int runBatch(int most, boolean discarding) {
        EventBatch<E> events = unfinished == null ? null : takeUnfinished();
        int count;
        try {
            if (events == null) {
                events = spareBatches.take();
                queue.take(events, most);
            }
            count = events.filled;
            if (count > 0 && discarding) {
                discard(events);
            } else if (count > 0) {
                execution.taken();
                handle(events);
            }
        } catch (Throwable e) {
            // Without a call, as there may be no stack for one.
            if (events != null && events.filled > 0) {
                events.failure = e;
                synchronized (unfinishedLock) {
                    events.following = unfinished;
                    unfinished = events;
                }
            }
            throw e;
        }
        spareBatches.giveBack(events);
        return count;
    }

    private EventBatch<E> takeUnfinished() {
        synchronized (unfinishedLock) {
            EventBatch<E> first = unfinished;
            if (first != null) {
                unfinished = first.following;
                first.following = null;
            }
            return first;
        }
    }

    /** Limits a batch, so that events do not wait for one thread while others are idle: each event may block. */
    private int share(int threads) {
        return threads <= 1 ? batch : Math.max(1, Math.min(batch, (queue.length() + threads - 1) / threads));
    }

    /** If this throws, for lack of stack or memory, it is to be called again with the same batch. */
    private void handle(EventBatch<E> events) {
        if (events.failure == null) {
            if (timed) {
                long now = System.nanoTime();
                noteWait(events.minWait(now));
                discardLate(events, now);
            }
            if (expiring) {
                events.discardIf(Stage::hasExpired);
            }
        } else {
            failInterrupted(events);
        }
        while (events.remaining() > 0) {
            try {
                handler.handleEvents(events);
                events.returned();
                break;
            } catch (Throwable e) {
                // Otherwise the event could count as failed without a call of handleFailure.
                StackReserve.require();
                notifyFailure(events.fail(), e);
            }
        }
        count(events);
    }

    /** The event at which another thread has left the batch has failed. */
    private void failInterrupted(EventBatch<E> events) {
        StackReserve.require();
        if (events.isHandling()) {
            notifyFailure(events.fail(), events.failure);
        }
    }

    /** An event that throws counts as not expired: it throws again when the handler takes it, and then fails. */
    private static boolean hasExpired(Object event) {
        try {
            return ExpiringEvent.isExpired(event);
        } catch (Throwable e) {
            return false;
        }
    }

    private void count(EventBatch<E> events) {
        // Before they are released: what they cost may depend on what they hold.
        events.leave(queue.admissions());
        if (releasing) {
            events.release();
        }
        events.forget();
        events.count(discarded, failed, handled);
    }

    private void notifyFailure(E event, Throwable cause) {
        try {
            handler.handleFailure(event, cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(handler, cause, e);
        }
    }

    private void noteWait(long wait) {
        long before = minWait.get();
        while (wait < before && !minWait.compareAndSet(before, wait)) {
            before = minWait.get();
        }
    }

    private void discardLate(EventBatch<E> events, long now) {
        long longest = longestWait;
        if (longest == Long.MAX_VALUE) {
            return;
        }
        E late = events.nextLate(now, longest);
        while (late != null) {
            notifyDiscarded(late);
            late = events.nextLate(now, longest);
        }
    }

    private void notifyDiscarded(E event) {
        try {
            handler.handleDiscarded(event);
        } catch (Throwable e) {
            HookFailure.log(LOG, handler, event, e);
        }
    }

    // Controlling, by the graph's thread for that

    long takeMinWait() {
        return minWait.getAndSet(Long.MAX_VALUE);
    }

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
            longestWait = wait.nanos();
        }
    }

    // For the graph

    Stream<Stage<?>> following() {
        return edgesFrom.stream().map(edge -> edge.target);
    }

    Stream<Stage<?>> preceding() {
        return edgesTo.stream().<Stage<?>>map(edge -> edge.source).filter(Objects::nonNull);
    }

    StageQueue<E> ownQueue() {
        return queue;
    }

    /** {@return how many accepted events have come to their end} To be read before those that were accepted. */
    long completed() {
        return handled.get() + failed.get() + discarded.get();
    }

    /** Nothing is taken any more, and what is left is discarded. */
    void abandon() {
        queue.close(EventRing.ALL);
        ended = true;
        discardRest();
    }

    private void discardRest() {
        StackReserve.require();
        int count;
        do {
            count = runBatch(maxBatch, true);
        } while (count > 0);
    }

    private void discard(EventBatch<E> events) {
        if (events.failure != null) {
            failInterrupted(events);
        }
        E event = events.nextDiscarded();
        while (event != null) {
            notifyDiscarded(event);
            event = events.nextDiscarded();
        }
        count(events);
    }
}
