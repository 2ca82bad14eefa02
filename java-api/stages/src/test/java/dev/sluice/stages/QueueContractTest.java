package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The queue of a stage accepts as many events as there is space for, and reports the outcome. */
@Tag(Depth.IN_QUICK)
class QueueContractTest extends StageContract {

    /** Counts its calls. */
    private static final class CountedNotice extends SpaceListener {

        final AtomicInteger count = new AtomicInteger();

        @Override
        protected void spaceAvailable() {
            count.incrementAndGet();
        }
    }

    private static List<EnqueueResult> enqueue(EventQueue<Integer> queue, int first, int count) {
        List<EnqueueResult> outcomes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outcomes.add(queue.enqueue(first + i));
        }
        return outcomes;
    }

    /** A list that gives each of its events once, and then what a test wants. */
    private static final class ReadOnce extends AbstractList<Integer> {

        private final List<Integer> events;
        private final Supplier<Integer> afterwards;
        private final boolean[] read;

        ReadOnce(List<Integer> events, Supplier<Integer> afterwards) {
            this.events = events;
            this.afterwards = afterwards;
            read = new boolean[events.size()];
        }

        @Override
        public Integer get(int index) {
            if (read[index]) {
                return afterwards.get();
            }
            read[index] = true;
            return events.get(index);
        }

        @Override
        public int size() {
            return events.size();
        }
    }

    private static List<EnqueueResult> outcomes(EnqueueResult... expected) {
        return Arrays.asList(expected);
    }

    @Test
    void refusesWhatIsBeyondItsCapacity() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(3));
        assertEquals(outcomes(EnqueueResult.ACCEPTED, EnqueueResult.ACCEPTED, EnqueueResult.ACCEPTED,
                EnqueueResult.FULL, EnqueueResult.FULL), enqueue(stage.queue(), 0, 5));
        assertEquals(3, stage.length());
        gate.open();
        drain();
        assertEquals(List.of(0, 1, 2), gate.handled);
        assertEquals(4, stage.handled());
        assertEquals(4, stage.accepted());
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(6));
    }

    @Test
    void refusesWhatIsBeyondItsThreshold() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(8).threshold(2));
        EventQueue<Integer> queue = stage.queue();
        assertEquals(outcomes(EnqueueResult.ACCEPTED, EnqueueResult.ACCEPTED, EnqueueResult.FULL),
                enqueue(queue, 0, 3));
        stage.setThreshold(3);
        assertEquals(outcomes(EnqueueResult.ACCEPTED, EnqueueResult.FULL), enqueue(queue, 3, 2));
        stage.setThreshold(1);
        assertEquals(EnqueueResult.FULL, queue.enqueue(5));
        assertEquals(3, stage.length());
        assertThrows(IllegalArgumentException.class, () -> stage.setThreshold(0));
        assertThrows(IllegalArgumentException.class, () -> stage.setThreshold(9));
        gate.open();
        drain();
        assertEquals(List.of(0, 1, 3), gate.handled);
    }

    @Test
    void takesAllOrNone() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(4));
        EventQueue<Integer> queue = stage.queue();
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueueAll(List.of(1, 2, 3)));
        assertEquals(EnqueueResult.FULL, queue.enqueueAll(List.of(4, 5)));
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueueAll(List.of()));
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueueAll(List.of(6)));
        assertEquals(EnqueueResult.FULL, queue.enqueueAll(List.of(7)));
        gate.open();
        drain();
        assertEquals(List.of(1, 2, 3, 6), gate.handled);
        assertEquals(EnqueueResult.FULL, queue.enqueueAll(List.of(1, 2, 3, 4, 5)));
    }

    @Test
    void readsAListOnce() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(8).admission((event, length) -> event != 13));
        EventQueue<Integer> queue = stage.queue();
        try (ProxyStage<?> proxy = graph.interpose(null, "gate", 8)) {
            assertEquals(EnqueueResult.ACCEPTED, queue.enqueueAll(new ReadOnce(List.of(1, 2), () -> {
                throw new IllegalStateException("read twice");
            })));
            assertEquals(EnqueueResult.ACCEPTED, queue.enqueueAll(new ReadOnce(List.of(3, 4), () -> null)));
            assertEquals(EnqueueResult.REJECTED, queue.enqueueAll(new ReadOnce(List.of(5, 13), () -> null)));
            assertEquals(6, proxy.count());
        }
        gate.open();
        drain();
        assertEquals(List.of(1, 2, 3, 4), gate.handled);
        assertEquals(5, stage.accepted());
    }

    @Test
    void aListThatThrowsLeavesNothing() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(3));
        EventQueue<Integer> queue = stage.queue();
        List<Integer> broken = new AbstractList<>() {
            @Override
            public Integer get(int index) {
                if (index == 2) {
                    throw new IllegalStateException("in a test");
                }
                return index;
            }

            @Override
            public int size() {
                return 3;
            }
        };
        assertThrows(IllegalStateException.class, () -> queue.enqueueAll(broken));
        assertThrows(IllegalStateException.class, () -> queue.prepareAll(broken));
        assertEquals(0, queue.length());
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueueAll(List.of(7, 8, 9)));
        gate.open();
        drain();
        assertEquals(List.of(7, 8, 9), gate.handled);
    }

    @Test
    void keepsWhatIsPrepared() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(3));
        EventQueue<Integer> queue = stage.queue();
        Reservation<Integer> two = queue.prepareAll(List.of(1, 2));
        assertEquals(EnqueueResult.ACCEPTED, two.result());
        assertEquals(2, queue.length());
        assertEquals(outcomes(EnqueueResult.ACCEPTED, EnqueueResult.FULL), enqueue(queue, 3, 2));
        try (Reservation<Integer> refused = queue.prepare(5)) {
            assertEquals(EnqueueResult.FULL, refused.result());
            assertThrows(IllegalStateException.class, refused::commit);
        }
        two.commit();
        assertThrows(IllegalStateException.class, two::commit);
        two.close();
        assertEquals(3, queue.length());
        gate.open();
        drain();
        // The commit is the enqueue.
        assertEquals(List.of(3, 1, 2), gate.handled);
        assertEquals(0, queue.length());
    }

    @Test
    void givesBackWhatIsAborted() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(2));
        EventQueue<Integer> queue = stage.queue();
        Reservation<Integer> two = queue.prepareAll(List.of(1, 2));
        assertEquals(EnqueueResult.FULL, queue.enqueue(3));
        two.close();
        two.close();
        assertThrows(IllegalStateException.class, two::commit);
        assertEquals(outcomes(EnqueueResult.ACCEPTED, EnqueueResult.ACCEPTED, EnqueueResult.FULL),
                enqueue(queue, 4, 3));
        gate.open();
        drain();
        assertEquals(List.of(4, 5), gate.handled);
    }

    @Test
    void refusesNull() throws Exception {
        Stage<Integer> stage = occupied(options());
        EventQueue<Integer> queue = stage.queue();
        assertThrows(NullPointerException.class, () -> queue.enqueue(null));
        assertThrows(NullPointerException.class, () -> queue.enqueue(null, Duration.ZERO));
        assertThrows(NullPointerException.class, () -> queue.enqueue(1, null));
        assertThrows(NullPointerException.class, () -> queue.enqueueAll(null));
        assertThrows(NullPointerException.class, () -> queue.enqueueAll(Arrays.asList(1, null)));
        assertThrows(NullPointerException.class, () -> queue.prepare(null));
        assertThrows(NullPointerException.class, () -> queue.prepareAll(Arrays.asList(1, null)));
        assertThrows(NullPointerException.class, () -> queue.prepareAll(null));
        assertThrows(NullPointerException.class, () -> queue.notifyWhenHalfEmpty(null));
        assertEquals(0, queue.length());
    }

    @Test
    void isClosedByTheStop() throws Exception {
        Stage<Integer> stage = graph.add("gate", Integer.class, gate, options());
        EventQueue<Integer> queue = stage.queue();
        graph.start();
        gate.open();
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(1));
        assertTrue(graph.stop(LIMIT).isDrained());
        assertEquals(List.of(1), gate.handled);
        assertEquals(EnqueueResult.CLOSED, queue.enqueue(2));
        assertEquals(EnqueueResult.CLOSED, queue.enqueueAll(List.of(2)));
        assertEquals(EnqueueResult.CLOSED, queue.enqueue(2, LIMIT));
        try (Reservation<Integer> late = queue.prepare(2)) {
            assertEquals(EnqueueResult.CLOSED, late.result());
        }
        assertEquals(1, stage.accepted());
    }

    @Test
    void keepsWhatComesBeforeTheStart() throws Exception {
        Stage<Integer> stage = graph.add("gate", Integer.class, gate, this.<Integer>options().capacity(2));
        assertEquals(outcomes(EnqueueResult.ACCEPTED, EnqueueResult.ACCEPTED, EnqueueResult.FULL),
                enqueue(stage.queue(), 0, 3));
        assertEquals(List.of(), gate.handled);
        gate.open();
        graph.start();
        drain();
        assertEquals(List.of(0, 1), gate.handled);
    }

    @Test
    void aCommitAfterTheEndIsDiscarded() throws Exception {
        Stage<Integer> stage = graph.add("gate", Integer.class, gate, options());
        graph.start();
        gate.open();
        Reservation<Integer> late = stage.queue().prepare(7);
        StopReport report = graph.stop(Duration.ZERO);
        assertEquals(1, report.stages().get(0).expected());
        late.commit();
        assertEquals(List.of(7), gate.discarded);
        assertEquals(List.of(), gate.handled);
        assertEquals(1, stage.accepted());
        assertEquals(1, stage.discarded());
    }

    // Admission

    @Test
    void asksAdmissionsInTurn() throws Exception {
        Credits<Integer> credits = new Credits<>(10, event -> Math.abs(event));
        TokenBucket<Integer> bucket = new TokenBucket<>(1000, 4, () -> 0);
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(8).admission(credits).admission(bucket));
        EventQueue<Integer> queue = stage.queue();
        assertEquals(9, credits.available());
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(5));
        assertEquals(EnqueueResult.REJECTED, queue.enqueue(5));
        assertEquals(EnqueueResult.REJECTED, queue.enqueueAll(List.of(1, 2, 3)));
        assertEquals(4, credits.available());
        Reservation<Integer> prepared = queue.prepare(2);
        assertEquals(2, credits.available());
        prepared.close();
        assertEquals(4, credits.available());
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueueAll(List.of(1, 2)));
        // That was the last token, since those that were refused or aborted have come back.
        assertEquals(EnqueueResult.REJECTED, queue.enqueue(1));
        assertEquals(1, credits.available());
        assertEquals(3, queue.length());
        gate.open();
        drain();
        assertEquals(10, credits.available());
        assertEquals(List.of(5, 1, 2), gate.handled);
    }

    @Test
    void anAdmissionThatThrowsReservesNothing() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(1).admission((event, length) -> {
            if (event == 13) {
                throw new IllegalStateException("unlucky");
            }
            return true;
        }));
        EventQueue<Integer> queue = stage.queue();
        assertThrows(IllegalStateException.class, () -> queue.enqueue(13));
        assertThrows(IllegalStateException.class, () -> queue.enqueueAll(List.of(13)));
        assertThrows(IllegalStateException.class, () -> queue.prepare(13));
        assertEquals(0, queue.length());
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(1));
    }

    /** Fails on whatever is not asked of it as a question. */
    private static final class Clumsy implements Admission<Integer> {

        final AtomicInteger failures = new AtomicInteger();

        @Override
        public boolean admit(Integer event, int length) {
            return true;
        }

        @Override
        public void undo(Integer event) {
            failures.incrementAndGet();
            throw new IllegalStateException("in a test");
        }

        @Override
        public void onDone(Integer event) {
            undo(event);
        }
    }

    @Test
    void anAdmissionThatFailsKeepsNothingOfTheOthers() throws Exception {
        Clumsy clumsy = new Clumsy();
        Credits<Integer> credits = new Credits<>(10, event -> Math.abs(event));
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(4).admission(clumsy).admission(credits)
                .admission((event, length) -> event != 4));
        EventQueue<Integer> queue = stage.queue();
        queue.prepareAll(List.of(1, 2)).close();
        assertEquals(2, clumsy.failures.get());
        assertEquals(EnqueueResult.REJECTED, queue.enqueue(4));
        assertEquals(EnqueueResult.REJECTED, queue.enqueueAll(List.of(1, 2, 4)));
        assertEquals(6, clumsy.failures.get());
        assertEquals(0, stage.length());
        assertEquals(9, credits.available());
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueueAll(List.of(1, 2, 3)));
        gate.open();
        drain();
        assertEquals(10, credits.available());
        assertEquals(10, clumsy.failures.get());
        assertEquals(List.of(1, 2, 3), gate.handled);
    }

    // Waiting

    @Test
    void waitsForSpace() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(1));
        EventQueue<Integer> queue = stage.queue();
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(1, LIMIT));
        assertEquals(EnqueueResult.FULL, queue.enqueue(2, Duration.ZERO));
        assertEquals(EnqueueResult.FULL, queue.enqueue(2, Duration.ofMillis(1)));
        assertThrows(IllegalArgumentException.class, () -> queue.enqueue(2, Duration.ofMillis(-1)));
        List<OtherThread<EnqueueResult>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int event = 3 + i;
            waiting.add(OtherThread.start(() -> queue.enqueue(event, Duration.ofDays(365_000))));
            await(waiting.get(i).thread());
        }
        gate.open();
        for (OtherThread<EnqueueResult> each : waiting) {
            assertEquals(EnqueueResult.ACCEPTED, each.result());
        }
        drain();
        assertEquals(List.of(1, 3, 4, 5), gate.handled.stream().sorted().toList());
    }

    @Test
    void endsAWait() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(1));
        EventQueue<Integer> queue = stage.queue();
        queue.enqueue(1);
        OtherThread<EnqueueResult> interrupted = OtherThread.start(() -> queue.enqueue(2, LIMIT));
        await(interrupted.thread());
        interrupted.thread().interrupt();
        assertThrows(InterruptedException.class, interrupted::result);
        OtherThread<EnqueueResult> closed = OtherThread.start(() -> queue.enqueue(3, LIMIT));
        await(closed.thread());
        OtherThread<StopReport> stop = OtherThread.start(() -> graph.stop(LIMIT));
        assertEquals(EnqueueResult.CLOSED, closed.result());
        gate.open();
        assertTrue(stop.result().isDrained());
        assertEquals(List.of(1), gate.handled);
    }

    @Test
    void aThresholdThatRisesEndsAWait() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(2).threshold(1));
        stage.queue().enqueue(1);
        OtherThread<EnqueueResult> waiting = OtherThread.start(() -> stage.queue().enqueue(2, LIMIT));
        await(waiting.thread());
        stage.setThreshold(2);
        assertEquals(EnqueueResult.ACCEPTED, waiting.result());
    }

    @Test
    void aHookOfALoopDoesNotWait() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(1));
        stage.queue().enqueue(1);
        try (StageKind.Scene other = new StageKind.Scene()) {
            OtherThread<EnqueueResult> asked = OtherThread.start(() -> {
                List<Throwable> thrown = new ArrayList<>();
                CountDownLatch done = new CountDownLatch(1);
                other.loop().execute(() -> {
                    try {
                        stage.queue().enqueue(2, LIMIT);
                    } catch (Throwable e) {
                        thrown.add(e);
                    }
                    done.countDown();
                });
                OtherThread.await(done);
                assertEquals(IllegalStateException.class, thrown.get(0).getClass());
                return EnqueueResult.FULL;
            });
            assertEquals(EnqueueResult.FULL, asked.result());
        }
    }

    // Notifications

    @Test
    void notifiesOnceWhenItIsHalfEmpty() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(4));
        EventQueue<Integer> queue = stage.queue();
        CountedNotice counted = new CountedNotice();
        Reservation<Integer> first = queue.prepareAll(List.of(1, 2));
        Reservation<Integer> second = queue.prepareAll(List.of(3, 4));
        queue.notifyWhenHalfEmpty(counted);
        queue.notifyWhenHalfEmpty(counted);
        assertEquals(0, counted.count.get());
        first.close();
        assertEquals(1, counted.count.get());
        second.close();
        assertEquals(1, counted.count.get());
        // It is half empty.
        queue.notifyWhenHalfEmpty(counted);
        assertEquals(2, counted.count.get());
        assertEquals(outcomes(EnqueueResult.ACCEPTED, EnqueueResult.ACCEPTED, EnqueueResult.ACCEPTED),
                enqueue(queue, 5, 3));
        queue.notifyWhenHalfEmpty(counted);
        assertEquals(2, counted.count.get());
        gate.open();
        drain();
        OtherThread.await(() -> counted.count.get() == 3);
    }

    @Test
    void longestWaitingListenerIsCalledFirst() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(2));
        EventQueue<Integer> queue = stage.queue();
        Reservation<Integer> all = queue.prepareAll(List.of(1, 2));
        List<Integer> called = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            assertTrue(queue.notifyWhenHalfEmpty(new SpaceListener() {
                @Override
                protected void spaceAvailable() {
                    called.add(number);
                }
            }));
        }
        assertTrue(queue.hasWaiters());
        all.close();
        assertEquals(List.of(0, 1, 2), called);
        assertFalse(queue.hasWaiters());
    }

    @Test
    void aNoticeWaitsForOneQueueAtATime() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(1));
        Reservation<Integer> place = stage.queue().prepare(1);
        StageGraph other = new StageGraph("other");
        EventQueue<Integer> second = other.add("second", Integer.class, new Gate()).queue();
        Reservation<Integer> all = second.prepareAll(Collections.nCopies(second.threshold(), 1));
        CountedNotice counted = new CountedNotice();
        assertTrue(stage.queue().notifyWhenHalfEmpty(counted));
        assertTrue(stage.queue().notifyWhenHalfEmpty(counted));
        assertFalse(second.notifyWhenHalfEmpty(counted));
        all.close();
        assertEquals(0, counted.count.get());
        place.close();
        assertEquals(1, counted.count.get());
        assertTrue(second.notifyWhenHalfEmpty(counted));
        assertEquals(2, counted.count.get());
        other.close();
        assertTrue(second.isClosed());
    }

    @Test
    void notifiesWhenItIsClosed() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(1));
        stage.queue().enqueue(1);
        CountedNotice counted = new CountedNotice();
        stage.queue().notifyWhenHalfEmpty(counted);
        OtherThread<StopReport> stop = OtherThread.start(() -> graph.stop(LIMIT));
        OtherThread.await(() -> counted.count.get() == 1);
        gate.open();
        assertTrue(stop.result().isDrained());
    }

    @Test
    void listenerThatThrowsDoesNotAffectOthers() throws Exception {
        Stage<Integer> stage = occupied(this.<Integer>options().capacity(2));
        CountedNotice counted = new CountedNotice();
        Reservation<Integer> all = stage.queue().prepareAll(List.of(1, 2));
        stage.queue().notifyWhenHalfEmpty(counted);
        stage.queue().notifyWhenHalfEmpty(new SpaceListener() {
            @Override
            protected void spaceAvailable() {
                throw new AssertionError("in a test");
            }
        });
        all.close();
        assertEquals(1, counted.count.get());
    }

    @Test
    void rejectsInvalidCapacitiesAndThresholds() throws IOException {
        assertThrows(IllegalArgumentException.class, () -> options().capacity(0));
        assertThrows(IllegalArgumentException.class, () -> options().capacity(StageOptions.MAX_CAPACITY + 1));
        assertThrows(IllegalArgumentException.class, () -> options().threshold(0));
        StageOptions<Integer> above = this.<Integer>options().capacity(3).threshold(4);
        assertThrows(IllegalArgumentException.class, () -> graph.add("above", Integer.class, gate, above));
        assertEquals(List.of(), graph.stages());
    }
}
