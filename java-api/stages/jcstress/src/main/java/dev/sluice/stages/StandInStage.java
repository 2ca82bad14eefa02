package dev.sluice.stages;

import java.util.List;

/** A queue that nobody takes from until the actors are done. */
final class StandInStage {

    private final StageQueue<Integer> queue;
    private final EventCopy<Integer> events = new EventCopy<>();

    @SuppressWarnings({"unchecked", "rawtypes"}) // There are no generic arrays.
    StandInStage(int capacity) {
        queue = new StageQueue<>(capacity, capacity, false, new Admission[0], () -> { });
        events.fill(List.of(1));
    }

    StageQueue<Integer> queue() {
        return queue;
    }

    /** {@return whether there was room, and nobody had closed it} */
    boolean prepare() {
        return queue.prepare(events, EventRing.ALL) == Outcome.ACCEPTED;
    }

    void commit() {
        queue.commit(events);
    }

    void abort() {
        queue.abort(events);
    }

    boolean enqueue() {
        return queue.enqueue(1, EventRing.ALL) == Outcome.ACCEPTED;
    }

    void close() {
        queue.close(EventRing.ALL);
    }

    /** {@return how many events can be taken} */
    int takeAll() {
        int all = 0;
        EventBatch<Integer> batch = new EventBatch<>(1, null, false);
        while (queue.take(batch, 1) == 1) {
            all++;
            batch = new EventBatch<>(1, null, false);
        }
        return all;
    }
}
