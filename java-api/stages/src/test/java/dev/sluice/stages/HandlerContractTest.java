package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a handler may do, and the outcomes of its events. */
@Tag(Depth.IN_QUICK)
class HandlerContractTest extends StageContract {

    private static final int MANY = 200;

    /** Notes what its stage tells it. */
    private static class Notes implements StageHandler<Integer> {

        final List<Integer> handled = new CopyOnWriteArrayList<>();
        final List<Integer> failed = Collections.synchronizedList(new ArrayList<>());
        final List<Throwable> causes = new CopyOnWriteArrayList<>();
        final AtomicInteger stops = new AtomicInteger();

        @Override
        public void handleEvents(EventBatch<Integer> batch) throws Exception {
            for (Integer event = batch.next(); event != null; event = batch.next()) {
                handle(event);
            }
        }

        void handle(int event) throws Exception {
            handled.add(event);
        }

        @Override
        public void handleFailure(Integer event, Throwable cause) {
            failed.add(event);
            causes.add(cause);
        }

        @Override
        public void handleStop() {
            stops.incrementAndGet();
        }

        @Override
        public boolean isExclusive() {
            return true;
        }
    }

    /** Adds a stage whose first batch has all of some events, and runs it until they have come to their end. */
    private Stage<Integer> run(StageHandler<Integer> handler, Integer... events) throws Exception {
        Stage<Integer> stage = graph.add("stage", Integer.class, handler, options());
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueueAll(List.of(events)));
        graph.start();
        drain();
        assertEquals(events.length, stage.accepted());
        assertEquals(events.length, stage.handled() + stage.failed() + stage.discarded());
        return stage;
    }

    @Test
    void whatIsThrownCostsOneEvent() throws Exception {
        Notes notes = new Notes() {
            @Override
            void handle(int event) throws Exception {
                switch (event) {
                    case 1 -> throw new IOException("in a test");
                    case 3 -> throw new AssertionError("in a test");
                    case 4 -> throw new StackOverflowError("in a test");
                    default -> super.handle(event);
                }
            }
        };
        Stage<Integer> stage = run(notes, 0, 1, 2, 3, 4, 5);
        assertEquals(List.of(0, 2, 5), notes.handled);
        assertEquals(List.of(1, 3, 4), notes.failed);
        assertEquals(List.of(IOException.class, AssertionError.class, StackOverflowError.class),
                notes.causes.stream().map(Object::getClass).toList());
        assertEquals(3, stage.handled());
        assertEquals(3, stage.failed());
    }

    @Test
    void aHandlerThatTakesNothingComesToAnEnd() throws Exception {
        Notes notes = new Notes() {
            @Override
            public void handleEvents(EventBatch<Integer> batch) {
                throw new IllegalStateException("in a test");
            }

            @Override
            public void handleFailure(Integer event, Throwable cause) {
                super.handleFailure(event, cause);
                throw new IllegalStateException("in a test, again");
            }
        };
        Stage<Integer> stage = run(notes, 0, 1, 2);
        assertEquals(List.of(0, 1, 2), notes.failed);
        assertEquals(3, stage.failed());
    }

    @Test
    void whatIsThrownAfterTheLastCostsNone() throws Exception {
        Notes notes = new Notes() {
            @Override
            public void handleEvents(EventBatch<Integer> batch) throws Exception {
                super.handleEvents(batch);
                throw new IllegalStateException("in a test");
            }
        };
        Stage<Integer> stage = run(notes, 0, 1);
        assertEquals(List.of(0, 1), notes.handled);
        assertEquals(2, stage.handled());
        assertNull(notes.failed.get(0));
    }

    @Test
    void whatItLeavesIsDiscarded() throws Exception {
        Notes notes = new Notes() {
            @Override
            public void handleEvents(EventBatch<Integer> batch) throws Exception {
                assertEquals(8, batch.remaining());
                assertEquals(5, batch.peek(0));
                assertEquals(2, batch.discardIf(event -> event > 7));
                batch.sort(Comparator.naturalOrder());
                assertThrows(IndexOutOfBoundsException.class, () -> batch.peek(6));
                assertThrows(IndexOutOfBoundsException.class, () -> batch.peek(-1));
                handle(batch.next());
                batch.sort(Comparator.reverseOrder());
                handle(batch.next());
                assertEquals(4, batch.remaining());
            }
        };
        Stage<Integer> stage = run(notes, 5, 8, 1, 7, 3, 9, 2, 4);
        assertEquals(List.of(), notes.causes);
        assertEquals(List.of(1, 7), notes.handled);
        assertEquals(2, stage.handled());
        assertEquals(6, stage.discarded());
    }

    @Test
    void aTestThatThrowsLosesNothing() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        Notes notes = new Notes() {
            @Override
            public void handleEvents(EventBatch<Integer> batch) throws Exception {
                if (first.getAndSet(false)) {
                    batch.next();
                    batch.discardIf(event -> {
                        if (event == 3) {
                            throw new IllegalStateException("in a test");
                        }
                        return event == 2;
                    });
                }
                super.handleEvents(batch);
            }
        };
        Stage<Integer> stage = run(notes, 0, 1, 2, 3, 4);
        assertEquals(List.of(0), notes.failed);
        assertEquals(List.of(1, 2, 3, 4), notes.handled.stream().sorted().toList());
        assertEquals(1, stage.failed());
    }

    /** Enough events that the sort merges parts. */
    @Test
    void aComparatorThatThrowsLosesNothing() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        AtomicInteger comparisons = new AtomicInteger();
        Notes notes = new Notes() {
            @Override
            public void handleEvents(EventBatch<Integer> batch) throws Exception {
                if (first.getAndSet(false)) {
                    batch.next();
                    batch.sort((one, other) -> {
                        if (comparisons.incrementAndGet() == MANY * 4) {
                            throw new IllegalStateException("in a test");
                        }
                        return Integer.compare(one, other);
                    });
                }
                super.handleEvents(batch);
            }
        };
        List<Integer> events = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            // Every second one is in its place already.
            events.add(i % 2 == 0 ? i : MANY - i);
        }
        Stage<Integer> stage = graph.add("stage", Integer.class, notes, this.<Integer>options().batch(MANY));
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueueAll(events));
        graph.start();
        drain();
        assertTrue(comparisons.get() >= MANY * 4, comparisons::toString);
        assertEquals(events.subList(0, 1), notes.failed);
        assertEquals(events.subList(1, MANY), notes.handled);
    }

    /** Cannot always tell whether it has expired. */
    private record Fickle(int number) implements ExpiringEvent {

        @Override
        public boolean isExpired() {
            if (number == 3) {
                throw new IllegalStateException("in a test");
            }
            return number == 5;
        }
    }

    @Test
    void anEventThatCannotTellWhetherItHasExpiredCostsNoOther() throws Exception {
        List<Integer> handled = new CopyOnWriteArrayList<>();
        List<Integer> failed = new CopyOnWriteArrayList<>();
        Stage<Fickle> stage = graph.add("stage", Fickle.class, new StageHandler<>() {
            @Override
            public void handleEvents(EventBatch<Fickle> batch) {
                for (Fickle event = batch.next(); event != null; event = batch.next()) {
                    handled.add(event.number());
                }
            }

            @Override
            public void handleFailure(Fickle event, Throwable cause) {
                failed.add(event.number());
            }
        }, options());
        graph.start();
        for (int i = 0; i < 8; i++) {
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(new Fickle(i)));
        }
        drain();
        assertEquals(List.of(0, 1, 2, 4, 6, 7), handled.stream().sorted().toList());
        assertEquals(List.of(3), failed);
        assertEquals(1, stage.discarded());
    }

    @Test
    void aHandlerThatStopsItsOwnGraphIsNotWaitedForForever() throws Exception {
        List<StopReport> reports = new CopyOnWriteArrayList<>();
        Notes notes = new Notes() {
            @Override
            void handle(int event) throws Exception {
                reports.add(graph.stop(Duration.ZERO));
                Thread.interrupted();
                super.handle(event);
            }
        };
        Stage<Integer> stage = graph.add("stage", Integer.class, notes, this.<Integer>options().batch(1));
        graph.start();
        // With a direct stage, that is the thread that stops it.
        OtherThread.run(() -> stage.queue().enqueue(1));
        OtherThread.await(() -> notes.handled.size() == 1);
        assertEquals(1, reports.get(0).pending());
        assertEquals(EnqueueResult.CLOSED, stage.queue().enqueue(2));
        OtherThread.await(() -> stage.handled() == 1);
        assertEquals(1, notes.stops.get());
    }

    @Test
    void aBatchIsNoLargerThanTheFactor() throws Exception {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        Notes notes = new Notes() {
            @Override
            public void handleEvents(EventBatch<Integer> batch) throws Exception {
                sizes.add(batch.remaining());
                super.handleEvents(batch);
            }
        };
        Stage<Integer> stage = graph.add("stage", Integer.class, notes, this.<Integer>options().batch(3));
        assertThrows(IllegalArgumentException.class, () -> stage.setBatch(0));
        stage.setBatch(2);
        stage.queue().enqueueAll(List.of(1, 2, 3, 4, 5));
        graph.start();
        drain();
        assertEquals(List.of(2, 2, 1), sizes);
        stage.setBatch(1 << 20);
        assertEquals(StageOptions.MAX_BATCH_SIZE, stage.batch());
    }

    @Test
    void onlyOneThreadIsInsideIfItAsksForThat() throws Exception {
        AtomicBoolean inside = new AtomicBoolean();
        AtomicInteger violations = new AtomicInteger();
        int[] plain = new int[1];
        Notes notes = new Notes() {
            @Override
            public void handleEvents(EventBatch<Integer> batch) throws Exception {
                if (!inside.compareAndSet(false, true)) {
                    violations.incrementAndGet();
                }
                while (batch.next() != null) {
                    // Not each time: on a busy machine it takes long until all others have had their turn.
                    if (plain[0]++ % 50 == 0) {
                        Thread.yield();
                    }
                }
                inside.set(false);
            }
        };
        Stage<Integer> stage = graph.add("stage", Integer.class, notes, this.<Integer>options().batch(2));
        graph.start();
        List<OtherThread<Void>> enqueuers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            enqueuers.add(OtherThread.start(() -> {
                for (int event = 0; event < 1000; event++) {
                    while (stage.queue().enqueue(event) != EnqueueResult.ACCEPTED) {
                        Thread.yield();
                    }
                }
                return null;
            }));
        }
        for (OtherThread<Void> enqueuer : enqueuers) {
            enqueuer.result();
        }
        drain();
        assertEquals(0, violations.get());
        assertEquals(4000, plain[0]);
    }

    @Test
    void handleStopIsCalledOnce() throws Exception {
        Notes notes = new Notes();
        run(notes, 1);
        assertEquals(0, notes.stops.get());
        StopReport report = graph.stop(LIMIT);
        assertTrue(report.isDrained());
        assertEquals(report, graph.stop(LIMIT));
        graph.close();
        assertEquals(1, notes.stops.get());
    }

    @Test
    void aStopSaysWhatItHasNotDrained() throws Exception {
        Stage<Integer> stage = occupied(options());
        stage.queue().enqueueAll(List.of(1, 2, 3));
        StopReport report = graph.stop(Duration.ZERO);
        assertFalse(report.isDrained());
        // Where its thread is its own, the one inside is interrupted, which fails its event, perhaps after the report.
        long interrupted = report.stages().get(0).failed();
        assertEquals(1 - interrupted, report.pending());
        if (kind.name().startsWith("OWN") || kind == StageKind.TASKS) {
            OtherThread.await(() -> graph.accounts().get(0).failed() == 1);
            assertInstanceOf(InterruptedException.class, gate.causes.get(0).getCause());
        } else {
            assertEquals(0, interrupted);
        }
        assertEquals(3, report.discarded());
        assertEquals(List.of(1, 2, 3), gate.discarded);
        gate.open();
        OtherThread.await(() -> graph.accounts().get(0).pending() == 0);
        assertEquals(List.of(), gate.handled);
    }

    @Test
    void anInterruptEndsTheWaitOfAStop() throws Exception {
        Stage<Integer> stage = occupied(options());
        stage.queue().enqueue(1);
        CountDownLatch stopped = new CountDownLatch(1);
        OtherThread<Boolean> stop = OtherThread.start(() -> {
            StopReport report = graph.stop(LIMIT);
            assertEquals(1, report.discarded());
            stopped.countDown();
            return Thread.interrupted();
        });
        await(stop.thread());
        stop.thread().interrupt();
        OtherThread.await(stopped);
        assertTrue(stop.result());
    }

    @Test
    void anInterruptedHandlerInterruptsNothingElse() throws Exception {
        Notes notes = new Notes() {
            @Override
            void handle(int event) throws Exception {
                if (kind != StageKind.DIRECT && kind != StageKind.LOOP) {
                    Thread.currentThread().interrupt();
                }
                super.handle(event);
            }
        };
        Stage<Integer> stage = graph.add("stage", Integer.class, notes, this.<Integer>options().batch(1));
        graph.start();
        for (int i = 0; i < 100; i++) {
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(i));
        }
        drain();
        assertEquals(100, notes.handled.size());
    }
}
