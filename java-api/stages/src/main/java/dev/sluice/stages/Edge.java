package dev.sluice.stages;

import dev.sluice.deadline.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A connection from one stage, or from outside, to the queue of another. It can be moved to another queue while events
 * pass: events that find the old queue closed are enqueued in the new one.
 */
final class Edge<E> implements EventQueue<E> {

    final @Nullable Stage<?> source;
    /** Changed under the lock of the graph's edges. */
    private volatile Stage<E> target;
    /** The queue of the target; null if the edge only accepts announced events. */
    private volatile @Nullable StageQueue<E> queue;
    private final long closures;
    final LongAdder accepted = new LongAdder();
    /** Number of announced events that have not been added yet. */
    private final AtomicLong work = new AtomicLong();
    private final LongAdder rejected = new LongAdder();
    private final ObjectPool<EventCopy> spareCopies = new ObjectPool<>(EventCopy::new);
    /** Records the events; null if there is no proxy. */
    volatile @Nullable ProxyStage<E> proxy;

    /**
     * Creates an edge.
     *
     * @param source   null for the outside
     * @param target   whose queue it leads to
     * @param closures the bits that close it
     */
    Edge(@Nullable Stage<?> source, Stage<E> target, long closures) {
        this.source = source;
        this.target = target;
        queue = target.ownQueue();
        this.closures = closures;
    }

    Stage<E> target() {
        return target;
    }

    /** Moves this edge to another stage. */
    void move(Stage<E> other) {
        target = other;
        queue = other.ownQueue();
    }

    /** Closes the edge to events that have not been announced. */
    void detach() {
        queue = null;
    }

    /** {@return the queue that accepts events now; null if there is none} */
    private @Nullable StageQueue<E> open() {
        StageQueue<E> current = queue;
        return current == null && work.get() > 0 ? target.ownQueue() : current;
    }

    long announced() {
        return work.get();
    }

    /** {@return the name of the source; null for the outside} */
    @Nullable String sourceName() {
        return source == null ? null : source.name();
    }

    long accepted() {
        return accepted.sum();
    }

    /** {@return the number of rejected events, for any reason} */
    long rejected() {
        return rejected.sum();
    }

    /** Counts rejected events. The caller gets the outcome even if there is no memory or stack for counting. */
    private void countRejected(int events) {
        Stage<E> by = target;
        StageQueue<E> its = by.ownQueue();
        try {
            rejected.add(events);
            by.rejected.add(events);
        } catch (OutOfMemoryError | StackOverflowError e) {
            its.unannounced = e;
        }
    }

    ProxyStage<E> interpose(int capacity) {
        ProxyStage<E> recorder = new ProxyStage<>(this, capacity);
        proxy = recorder;
        return recorder;
    }

    @Override
    public EnqueueResult enqueue(E event) {
        return enqueue(Objects.requireNonNull(event, "event"), null, 1);
    }

    @Override
    public EnqueueResult enqueueAll(List<? extends E> events) {
        EventCopy copied = spareCopies.take();
        EnqueueResult result = null;
        try {
            copied.fill(events);
            result = copied.size == 0 ? EnqueueResult.ACCEPTED : enqueue(null, copied.events, copied.size);
        } finally {
            try {
                copied.clear();
                // A longer list is never accepted.
                if (copied.events.length <= target.capacity()) {
                    spareCopies.release(copied);
                }
            } catch (StackOverflowError e) {
                if (result == null) {
                    throw e;
                }
                // The caller must get the outcome; this copy is left to the collector.
            }
        }
        return result;
    }

    /** Enqueues one event, or several from the first element of an array on. */
    private EnqueueResult enqueue(@Nullable E one, Object @Nullable [] several, int count) {
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : recorder.begin();
        StageQueue<E> to;
        EnqueueResult result;
        do {
            to = open();
            result = to == null ? EnqueueResult.CLOSED : to.enqueue(one, several, count, closures, accepted);
        } while (result == EnqueueResult.CLOSED && to != open());
        if (result != EnqueueResult.ACCEPTED) {
            countRejected(count);
        }
        if (recorder != null) {
            recorder.record(time, one, several, count, result);
        }
        return result;
    }

    @Override
    public EnqueueResult enqueue(E event, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(event, "event");
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : recorder.begin();
        long nanos = Timeout.bounded(Timeout.nanos("timeout", timeout));
        long begin = Timeout.begin(nanos);
        StageQueue<E> to;
        EnqueueResult result;
        do {
            to = open();
            result = to == null ? EnqueueResult.CLOSED
                    : to.enqueue(event, Timeout.remaining(nanos, begin), closures, accepted);
        } while (result == EnqueueResult.CLOSED && to != open());
        if (result != EnqueueResult.ACCEPTED) {
            countRejected(1);
        }
        if (recorder != null) {
            recorder.record(time, event, null, 1, result);
        }
        return result;
    }

    @Override
    public Reservation<E> prepare(E event) {
        return prepareAll(List.of(Objects.requireNonNull(event, "event")));
    }

    @Override
    public Reservation<E> prepareAll(List<? extends E> events) {
        EventCopy copied = new EventCopy();
        copied.fill(events);
        Reservation<E> preparation = new Reservation<>(this, copied);
        preparation.reserve();
        return preparation;
    }

    /** Reserves places, and stores the queue in the reservation. */
    EnqueueResult reserve(Reservation<E> reservation, EventCopy events) {
        StageQueue<E> to;
        EnqueueResult result;
        do {
            to = open();
            reservation.queue = to;
            result = to == null ? EnqueueResult.CLOSED : to.prepare(null, events.events, events.size, closures);
        } while (result == EnqueueResult.CLOSED && to != open());
        if (result != EnqueueResult.ACCEPTED) {
            // Otherwise the commit counts them.
            countRejected(events.size);
        }
        return result;
    }

    @Override
    public boolean notifyWhenHalfEmpty(SpaceListener listener) {
        return target.ownQueue().notifyWhenHalfEmpty(Objects.requireNonNull(listener, "listener"), closures);
    }

    @Override
    public void workStarted() {
        work.getAndIncrement();
    }

    @Override
    public void workFinished() {
        if (work.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
            throw new IllegalStateException("work for " + this + " has ended more often than it has begun");
        }
    }

    @Override
    public boolean hasWaiters() {
        return target.ownQueue().hasWaiters();
    }

    @Override
    public boolean isClosed() {
        StageQueue<E> current = open();
        return current == null || current.isClosed(closures);
    }

    @Override
    public int length() {
        return target.ownQueue().length();
    }

    @Override
    public int threshold() {
        return target.ownQueue().threshold();
    }

    /** {@return for example {@code parse -> cache}} */
    @Override
    public String toString() {
        return Objects.requireNonNullElse(sourceName(), "outside") + " -> " + target.name();
    }
}
