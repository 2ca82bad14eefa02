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
    final LongAdder passed = new LongAdder();
    /** Number of announced events that have not been added yet. */
    private final AtomicLong work = new AtomicLong();
    private final LongAdder refused = new LongAdder();
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

    long passed() {
        return passed.sum();
    }

    /** {@return the number of rejected events, for any reason} */
    long refused() {
        return refused.sum();
    }

    /** Counts rejected events. The caller gets the outcome even if there is no memory or stack for counting. */
    private void countRefused(int events) {
        Stage<E> by = target;
        StageQueue<E> its = by.ownQueue();
        try {
            refused.add(events);
            by.refused.add(events);
        } catch (OutOfMemoryError | StackOverflowError e) {
            its.unannounced = e;
        }
    }

    ProxyStage<E> interpose(int kept) {
        ProxyStage<E> recorder = new ProxyStage<>(this, kept);
        proxy = recorder;
        return recorder;
    }

    @Override
    public Outcome enqueue(E event) {
        return enqueue(Objects.requireNonNull(event, "event"), null, 1);
    }

    @Override
    public Outcome enqueueAll(List<? extends E> events) {
        EventCopy copied = spareCopies.take();
        Outcome outcome = null;
        try {
            copied.fill(events);
            outcome = copied.size == 0 ? Outcome.ACCEPTED : enqueue(null, copied.events, copied.size);
        } finally {
            try {
                copied.clear();
                // A longer list is never accepted.
                if (copied.events.length <= target.capacity()) {
                    spareCopies.giveBack(copied);
                }
            } catch (StackOverflowError e) {
                if (outcome == null) {
                    throw e;
                }
                // The caller must get the outcome; this copy is left to the collector.
            }
        }
        return outcome;
    }

    /** Enqueues one event, or several from the first element of an array on. */
    private Outcome enqueue(@Nullable E one, Object @Nullable [] several, int count) {
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : recorder.begin();
        StageQueue<E> to;
        Outcome outcome;
        do {
            to = open();
            outcome = to == null ? Outcome.CLOSED : to.enqueue(one, several, count, closures, passed);
        } while (outcome == Outcome.CLOSED && to != open());
        if (outcome != Outcome.ACCEPTED) {
            countRefused(count);
        }
        if (recorder != null) {
            recorder.record(time, one, several, count, outcome);
        }
        return outcome;
    }

    @Override
    public Outcome enqueue(E event, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(event, "event");
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : recorder.begin();
        long nanos = Timeout.bounded(Timeout.nanos("timeout", timeout));
        long begin = Timeout.begin(nanos);
        StageQueue<E> to;
        Outcome outcome;
        do {
            to = open();
            outcome = to == null ? Outcome.CLOSED
                    : to.enqueue(event, Timeout.remaining(nanos, begin), closures, passed);
        } while (outcome == Outcome.CLOSED && to != open());
        if (outcome != Outcome.ACCEPTED) {
            countRefused(1);
        }
        if (recorder != null) {
            recorder.record(time, event, null, 1, outcome);
        }
        return outcome;
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
    Outcome reserve(Reservation<E> reservation, EventCopy events) {
        StageQueue<E> to;
        Outcome outcome;
        do {
            to = open();
            reservation.queue = to;
            outcome = to == null ? Outcome.CLOSED : to.prepare(null, events.events, events.size, closures);
        } while (outcome == Outcome.CLOSED && to != open());
        if (outcome != Outcome.ACCEPTED) {
            // Otherwise the commit counts them.
            countRefused(events.size);
        }
        return outcome;
    }

    @Override
    public boolean notifyWhenHalfEmpty(SpaceListener notice) {
        return target.ownQueue().notifyWhenHalfEmpty(Objects.requireNonNull(notice, "notice"), closures);
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
