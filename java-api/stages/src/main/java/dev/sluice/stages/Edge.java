package dev.sluice.stages;

import dev.sluice.deadline.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The way from one stage, or from outside, to the queue of another. */
final class Edge<E> implements EventQueue<E> {

    private final Stage<?> source;
    private final Stage<E> target;
    private final StageQueue<E> queue;
    private final long closures;
    private final LongAdder passed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Spares<EventCopy<E>> spareCopies = new Spares<>(EventCopy::new);
    private volatile ProxyStage<E> proxy;

    /**
     * Makes an edge.
     *
     * @param source   null for the outside
     * @param target   whose queue it leads to
     * @param closures what closes it
     */
    Edge(Stage<?> source, Stage<E> target, long closures) {
        this.source = source;
        this.target = target;
        queue = target.ownQueue();
        this.closures = closures;
    }

    Stage<?> source() {
        return source;
    }

    Stage<E> target() {
        return target;
    }

    long passed() {
        return passed.sum();
    }

    /** {@return how many events were to pass and did not, whatever the reason} */
    long refused() {
        return refused.sum();
    }

    /** {@return whether anybody has ever enqueued something, with any outcome} */
    boolean isUsed() {
        return passed() > 0 || refused() > 0;
    }

    /** The queue has done what it has done, so this must not fail for its caller: then its failure is logged. */
    private void count(Outcome outcome, int events) {
        (outcome == Outcome.ACCEPTED ? passed : refused).add(events);
    }

    void setProxy(ProxyStage<E> recorder) {
        proxy = recorder;
    }

    ProxyStage<E> proxy() {
        return proxy;
    }

    @Override
    public Outcome enqueue(E event) {
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : recorder.begin();
        Outcome outcome = queue.enqueue(event, closures);
        try {
            count(outcome, 1);
        } catch (Throwable e) {
            queue.unannounced = e;
        }
        if (recorder != null) {
            recorder.record(time, event, outcome);
        }
        return outcome;
    }

    @Override
    public Outcome enqueueAll(List<? extends E> events) {
        EventCopy<E> copied = spareCopies.take();
        Outcome outcome = null;
        try {
            copied.fill(events);
            outcome = enqueueCopied(copied);
        } finally {
            try {
                copied.clear();
                // What is longer has never been accepted.
                if (copied.room() <= target.capacity()) {
                    spareCopies.giveBack(copied);
                }
            } catch (StackOverflowError e) {
                if (outcome == null) {
                    throw e;
                }
                // The caller has to know what the queue has done, and the copy is not used again.
            }
        }
        return outcome;
    }

    private Outcome enqueueCopied(EventCopy<E> events) {
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : recorder.begin();
        int count = events.size();
        Outcome outcome = queue.enqueueAll(events, closures);
        try {
            count(outcome, count);
        } catch (Throwable e) {
            queue.unannounced = e;
        }
        if (recorder != null) {
            events.forEach(event -> recorder.record(time, event, outcome));
        }
        return outcome;
    }

    @Override
    public Outcome enqueue(E event, Duration patience) throws InterruptedException {
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : recorder.begin();
        Outcome outcome = queue.enqueue(event, Timeout.nanos("patience", patience), closures);
        try {
            count(outcome, 1);
        } catch (Throwable e) {
            queue.unannounced = e;
        }
        if (recorder != null) {
            recorder.record(time, event, outcome);
        }
        return outcome;
    }

    @Override
    public Preparation<E> prepare(E event) {
        return prepareAll(List.of(Objects.requireNonNull(event, "event")));
    }

    @Override
    public Preparation<E> prepareAll(List<? extends E> events) {
        EventCopy<E> copied = new EventCopy<>();
        copied.fill(events);
        Preparation<E> preparation = new Preparation<>(this, copied);
        // Last, or there might be no memory for what gives the places back.
        preparation.prepareAgain();
        return preparation;
    }

    Outcome reserve(EventCopy<E> events) {
        Outcome outcome = queue.prepare(events, closures);
        if (outcome != Outcome.ACCEPTED) {
            // Otherwise the commit will tell.
            refused.add(events.size());
        }
        return outcome;
    }

    void commit(EventCopy<E> events) {
        queue.commit(events);
        try {
            passed.add(events.size);
        } catch (Throwable e) {
            queue.unannounced = e;
        }
    }

    /** {@return when a commit begins} */
    long commitBegins() {
        ProxyStage<E> recorder = proxy;
        return recorder == null ? 0 : recorder.begin();
    }

    void commitEnds(EventCopy<E> events, long time) {
        ProxyStage<E> recorder = proxy;
        if (recorder != null) {
            events.forEach(event -> recorder.record(time, event, Outcome.ACCEPTED));
        }
    }

    void abort(EventCopy<E> events) {
        queue.abort(events);
    }

    @Override
    public boolean tellWhenHalfEmpty(RoomNotice notice) {
        return queue.tellWhenHalfEmpty(Objects.requireNonNull(notice, "notice"), closures);
    }

    @Override
    public void workStarted() {
        queue.workStarted();
    }

    @Override
    public void workFinished() {
        if (!queue.workFinished()) {
            throw new IllegalStateException("work for " + this + " has ended more often than it has begun");
        }
    }

    @Override
    public boolean isAwaited() {
        return queue.isAwaited();
    }

    @Override
    public boolean isClosed() {
        return queue.isClosed(closures);
    }

    @Override
    public int length() {
        return queue.length();
    }

    @Override
    public int threshold() {
        return queue.threshold();
    }

    /** {@return for example {@code parse -> cache}} */
    @Override
    public String toString() {
        return (source == null ? "outside" : source.name()) + " -> " + target.name();
    }
}
