package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Each stage releases a releasable event once, whatever its outcome. */
class ReleasableEventTest extends StageContract {

    private static final int MANY = 10;

    private enum Fate { HANDLED, FAILS, LEFT, EXPIRED, RELEASE_FAILS }

    private interface Something {
    }

    private static final class Holding implements Something, ReleasableEvent, ExpiringEvent {

        private final Fate fate;
        private final AtomicInteger released = new AtomicInteger();
        private volatile int releasedWhenHandled = -1;

        Holding(Fate fate) {
            this.fate = fate;
        }

        @Override
        public void release() {
            released.incrementAndGet();
            if (fate == Fate.RELEASE_FAILS) {
                throw new AssertionError("in a test");
            }
        }

        @Override
        public boolean isExpired() {
            return fate == Fate.EXPIRED;
        }
    }

    private static List<Holding> all(Fate fate) {
        List<Holding> events = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            events.add(new Holding(fate));
        }
        return events;
    }

    private static void handle(EventBatch<? extends Something> batch) {
        for (Something event = batch.next(); event != null; event = batch.next()) {
            Holding holding = (Holding) event;
            holding.releasedWhenHandled = holding.released.get();
            if (holding.fate == Fate.FAILS) {
                throw new IllegalStateException("in a test");
            }
        }
    }

    private static final class Handler<E extends Something> implements StageHandler<E> {

        @Override
        public void handleEvents(EventBatch<E> batch) {
            batch.discardIf(event -> ((Holding) event).fate == Fate.LEFT);
            handle(batch);
        }

        @Override
        public void handleFailure(E event, Throwable cause) {
            // It is counted.
        }
    }

    private void runAll(Stage<? super Holding> stage) throws Exception {
        List<Holding> events = new ArrayList<>();
        for (Fate fate : Fate.values()) {
            events.addAll(all(fate));
        }
        graph.start();
        for (Holding event : events) {
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(event));
        }
        drain();
        for (Holding event : events) {
            assertEquals(1, event.released.get(), event.fate::toString);
            boolean seen = event.fate != Fate.LEFT && event.fate != Fate.EXPIRED;
            assertEquals(seen ? 0 : -1, event.releasedWhenHandled, event.fate::toString);
        }
        assertEquals(2 * MANY, stage.handled());
        assertEquals(MANY, stage.failed());
        assertEquals(2 * MANY, stage.discarded());
    }

    @Test
    void eachIsReleasedOnceItHasLeft() throws Exception {
        runAll(graph.add("holding", Holding.class, new Handler<>(), options()));
    }

    @Test
    void alsoWhereOtherEventsMayHoldNothing() throws Exception {
        Stage<Something> stage = graph.add("something", Something.class, new Handler<>(), options());
        // Their type does not say that they may expire.
        List<Holding> events = all(Fate.HANDLED);
        graph.start();
        for (Holding event : events) {
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(event));
        }
        drain();
        events.forEach(event -> assertEquals(1, event.released.get()));
    }

    @Test
    void whatIsNotAcceptedIsNotReleased() throws Exception {
        StageOptions<Holding> options = options();
        Stage<Holding> stage = graph.add("holding", Holding.class, new Handler<>(), options.capacity(MANY));
        List<Holding> events = all(Fate.HANDLED);
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueueAll(events));
        Holding refused = new Holding(Fate.HANDLED);
        assertEquals(EnqueueResult.FULL, stage.queue().enqueue(refused));
        assertEquals(0, events.get(0).released.get());
        graph.stop(Duration.ZERO);
        assertEquals(EnqueueResult.CLOSED, stage.queue().enqueue(refused));
        assertEquals(0, refused.released.get());
        assertEquals(MANY, stage.discarded());
        events.forEach(event -> assertEquals(1, event.released.get()));
    }
}
