package dev.sluice.stages;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** A queue from which no event is taken until the actors are done. */
final class StandInStage {

    private final StageQueue<Integer> queue;
    private final EventCopy events = new EventCopy();
    private final LongAdder accepted = new LongAdder();

    @SuppressWarnings({"unchecked", "rawtypes"}) // There are no generic arrays.
    StandInStage(int capacity) {
        queue = new StageQueue<>(capacity, capacity, false, new Admission[0], () -> { });
        events.fill(List.of(1));
    }

    StageQueue<Integer> queue() {
        return queue;
    }

    /** {@return whether there was space, and it was not closed} */
    boolean prepare() {
        return queue.prepare(null, events.events, events.size, EventRing.ALL) == EnqueueResult.ACCEPTED;
    }

    void commit() {
        queue.commit(events.events, events.size, accepted);
    }

    void abort() {
        queue.abort(events.events, events.size);
    }

    boolean enqueue() {
        return queue.enqueue(1, null, 1, EventRing.ALL, accepted) == EnqueueResult.ACCEPTED;
    }

    void close() {
        queue.close(EventRing.ALL);
    }

    /** {@return the number of events that can be taken} */
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
