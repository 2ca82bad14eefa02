package dev.sluice.stage;

import dev.sluice.deadline.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The way from one stage, or from outside, to the queue of another. */
final class Edge<E> implements EventQueue<E> {

    private final Stage<?> source;
    private final Stage<E> target;
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
        long time = recorder == null ? 0 : System.nanoTime();
        Outcome outcome = target.ownQueue().enqueue(event, closures);
        count(outcome, 1);
        if (recorder != null) {
            recorder.record(time, event, outcome);
        }
        return outcome;
    }

    @Override
    public Outcome enqueueAll(List<? extends E> events) {
        EventCopy<E> copied = spareCopies.take();
        try {
            copied.fill(events);
            return enqueueCopied(copied);
        } finally {
            copied.clear();
            // What is longer has never been accepted.
            if (copied.room() <= target.capacity()) {
                spareCopies.giveBack(copied);
            }
        }
    }

    private Outcome enqueueCopied(EventCopy<E> events) {
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : System.nanoTime();
        Outcome outcome = target.ownQueue().enqueueAll(events, closures);
        count(outcome, events.size());
        if (recorder != null) {
            events.forEach(event -> recorder.record(time, event, outcome));
        }
        return outcome;
    }

    @Override
    public Outcome enqueue(E event, Duration patience) throws InterruptedException {
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : System.nanoTime();
        Outcome outcome = target.ownQueue().enqueue(event, Timeout.nanos("patience", patience), closures);
        count(outcome, 1);
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
        List<E> copied = List.copyOf(events);
        return new Preparation<>(this, copied, reserve(copied));
    }

    Outcome reserve(List<E> events) {
        Outcome outcome = target.ownQueue().prepare(events, closures);
        if (outcome != Outcome.ACCEPTED) {
            // Otherwise the commit will tell.
            count(outcome, events.size());
        }
        return outcome;
    }

    void commit(List<E> events) {
        ProxyStage<E> recorder = proxy;
        long time = recorder == null ? 0 : System.nanoTime();
        target.ownQueue().commit(events);
        passed.add(events.size());
        if (recorder != null) {
            events.forEach(event -> recorder.record(time, event, Outcome.ACCEPTED));
        }
    }

    void abort(List<E> events) {
        target.ownQueue().abort(events);
    }

    @Override
    public boolean tellWhenHalfEmpty(RoomNotice notice) {
        return target.ownQueue().tellWhenHalfEmpty(Objects.requireNonNull(notice, "notice"), closures);
    }

    @Override
    public void workStarted() {
        target.ownQueue().workStarted();
    }

    @Override
    public void workFinished() {
        if (!target.ownQueue().workFinished()) {
            throw new IllegalStateException("work for " + this + " has ended more often than it has begun");
        }
    }

    @Override
    public boolean isAwaited() {
        return target.ownQueue().isAwaited();
    }

    @Override
    public boolean isClosed() {
        return target.ownQueue().isClosed(closures);
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
        return (source == null ? "outside" : source.name()) + " -> " + target.name();
    }
}
