package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every event is accounted for, in a graph with every kind of stage, while several threads enqueue. */
class EveryKindCountTest {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int THREADS = 4;
    private static final int MILLION = 1_000_000;

    /** Hands each event on, fails on some, and drops some. */
    private static final class Hop implements StageHandler<Integer> {

        private final String next;
        final AtomicLong seen = new AtomicLong();
        final AtomicLong lost = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        private EventQueue<Integer> queue;

        Hop(String next) {
            this.next = next;
        }

        @Override
        public void handleStart(StageContext context) {
            queue = next == null ? null : context.queue(next, Integer.class);
        }

        @Override
        public void handleEvents(EventBatch<Integer> batch) {
            batch.discardIf(event -> event % 1001 == 1);
            for (Integer event = batch.next(); event != null; event = batch.next()) {
                if (event % 1003 == 2) {
                    throw new IllegalStateException("in a test");
                }
                seen.incrementAndGet();
                if (queue != null && queue.enqueue(event) != EnqueueResult.ACCEPTED) {
                    lost.incrementAndGet();
                }
            }
        }

        @Override
        public void handleFailure(Integer event, Throwable cause) {
            failed.incrementAndGet();
        }
    }

    @Test
    void aMillionEvents() throws Exception {
        count(MILLION);
    }

    @Test
    @Tag("stress")
    void tenMillionEvents() throws Exception {
        count(10 * MILLION);
    }

    private static void count(int events) throws Exception {
        try (StageKind.Scene scene = new StageKind.Scene()) {
            StageGraph graph = new StageGraph("every kind");
            List<StageKind> kinds = StageKind.available();
            List<Hop> hops = new ArrayList<>();
            List<Stage<Integer>> stages = new ArrayList<>();
            for (int i = 0; i < kinds.size(); i++) {
                Hop hop = new Hop(i == kinds.size() - 1 ? null : kinds.get(i + 1).name());
                hops.add(hop);
                // From one to the next the queue is shorter, so that there is something to refuse.
                stages.add(graph.add(kinds.get(i).name(), Integer.class, hop,
                        kinds.get(i).<Integer>options(scene).capacity(4096 >> i)));
            }
            graph.start();
            Tally tally = enqueue(stages.get(0).queue(), events);
            StopReport report = graph.stop(LIMIT);
            assertTrue(report.isDrained(), report::toString);
            assertEquals(tally.accepted(), stages.get(0).accepted());
            assertEquals(tally.refused(), report.stages().get(0).rejected());
            for (int i = 0; i < kinds.size(); i++) {
                StageAccount account = report.stages().get(i);
                assertEquals(kinds.get(i).name(), account.stage());
                assertEquals(0, account.pending(), account::toString);
                assertEquals(hops.get(i).seen.get(), account.handled(), account::toString);
                assertEquals(hops.get(i).failed.get(), account.failed(), account::toString);
                if (i + 1 < kinds.size()) {
                    assertEquals(hops.get(i).lost.get(), report.stages().get(i + 1).rejected());
                    assertEquals(account.handled() - hops.get(i).lost.get(), stages.get(i + 1).accepted());
                    assertEquals(stages.get(i + 1).accepted(),
                            StageGraphTest.accepted(graph, kinds.get(i).name(), kinds.get(i + 1).name()));
                }
            }
        }
    }

    /** Outcomes of events. A preparation that is closed without a commit counts neither as accepted nor as refused. */
    private record Tally(long accepted, long refused) {

        static Tally of(EnqueueResult result, int events) {
            return result == EnqueueResult.ACCEPTED ? new Tally(events, 0) : new Tally(0, events);
        }

        Tally plus(Tally other) {
            return new Tally(accepted + other.accepted, refused + other.refused);
        }
    }

    /** {@return their outcomes} Each thread enqueues in each way, and waits for space. */
    private static Tally enqueue(EventQueue<Integer> queue, int events) throws Exception {
        List<OtherThread<Tally>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(OtherThread.start(() -> {
                Tally tally = new Tally(0, 0);
                for (int event = 0; event < events / THREADS; event++) {
                    tally = tally.plus(switch (event & 7) {
                        case 0 -> Tally.of(queue.enqueueAll(List.of(event, event + 1)), 2);
                        case 1 -> prepared(queue, event);
                        case 2 -> Tally.of(queue.enqueue(event), 1);
                        default -> Tally.of(queue.enqueue(event, LIMIT), 1);
                    });
                }
                return tally;
            }));
        }
        Tally tally = new Tally(0, 0);
        for (OtherThread<Tally> thread : threads) {
            tally = tally.plus(thread.result(LIMIT));
        }
        return tally;
    }

    private static Tally prepared(EventQueue<Integer> queue, int event) {
        try (Reservation<Integer> preparation = queue.prepareAll(List.of(event, event, event))) {
            if (preparation.result() == EnqueueResult.ACCEPTED) {
                if (event % 3 == 0) {
                    return new Tally(0, 0);
                }
                preparation.commit();
            }
            return Tally.of(preparation.result(), 3);
        }
    }
}
