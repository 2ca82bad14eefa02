package dev.sluice.stage;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Batches that no thread uses at the moment. A thread that finds none makes one, so there are about as many as threads
 * have been inside the stage at once.
 */
final class SpareBatches<E> {

    private static final int PLACES = 16;

    private final AtomicReferenceArray<EventBatch<E>> spare = new AtomicReferenceArray<>(PLACES);
    private final int room;
    private final ResponseTimes responses;
    private final boolean expiring;

    SpareBatches(int room, ResponseTimes responses, boolean expiring) {
        this.expiring = expiring;
        this.room = room;
        this.responses = responses;
    }

    EventBatch<E> take() {
        for (int i = 0; i < PLACES; i++) {
            if (spare.getPlain(i) != null) {
                EventBatch<E> batch = spare.getAndSet(i, null);
                if (batch != null) {
                    return batch;
                }
            }
        }
        return new EventBatch<>(room, responses, expiring);
    }

    void giveBack(EventBatch<E> batch) {
        for (int i = 0; i < PLACES; i++) {
            if (spare.getPlain(i) == null && spare.compareAndSet(i, null, batch)) {
                return;
            }
        }
    }
}
