package dev.sluice.stage;

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
                if (queue != null && queue.enqueue(event) != Outcome.ACCEPTED) {
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
            StageKind[] kinds = StageKind.values();
            List<Hop> hops = new ArrayList<>();
            List<Stage<Integer>> stages = new ArrayList<>();
            for (int i = 0; i < kinds.length; i++) {
                Hop hop = new Hop(i == kinds.length - 1 ? null : kinds[i + 1].name());
                hops.add(hop);
                // From one to the next the queue is shorter, so that there is something to refuse.
                stages.add(graph.add(kinds[i].name(), Integer.class, hop,
                        kinds[i].<Integer>options(scene).capacity(4096 >> i)));
            }
            graph.start();
            long accepted = enqueue(stages.get(0).queue(), events);
            StopReport report = graph.stop(LIMIT);
            assertTrue(report.isDrained(), report::toString);
            assertEquals(accepted, stages.get(0).accepted());
            for (int i = 0; i < kinds.length; i++) {
                StageAccount account = report.stages().get(i);
                assertEquals(kinds[i].name(), account.stage());
                assertEquals(0, account.unfinished(), account::toString);
                assertEquals(hops.get(i).seen.get(), account.handled(), account::toString);
                assertEquals(hops.get(i).failed.get(), account.failed(), account::toString);
                if (i + 1 < kinds.length) {
                    assertEquals(account.handled() - hops.get(i).lost.get(), stages.get(i + 1).accepted());
                    assertEquals(stages.get(i + 1).accepted(), graph.passed(kinds[i].name(), kinds[i + 1].name()));
                }
            }
        }
    }

    /** {@return how many were accepted} Each thread enqueues in each way, and waits for room. */
    private static long enqueue(EventQueue<Integer> queue, int events) throws Exception {
        List<OtherThread<Long>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(OtherThread.start(() -> {
                long accepted = 0;
                for (int event = 0; event < events / THREADS; event++) {
                    accepted += switch (event & 7) {
                        case 0 -> two(queue, event);
                        case 1 -> prepared(queue, event);
                        case 2 -> queue.enqueue(event) == Outcome.ACCEPTED ? 1 : 0;
                        default -> queue.enqueue(event, LIMIT) == Outcome.ACCEPTED ? 1 : 0;
                    };
                }
                return accepted;
            }));
        }
        long accepted = 0;
        for (OtherThread<Long> thread : threads) {
            accepted += thread.result(LIMIT);
        }
        return accepted;
    }

    private static int two(EventQueue<Integer> queue, int event) {
        return queue.enqueueAll(List.of(event, event + 1)) == Outcome.ACCEPTED ? 2 : 0;
    }

    private static int prepared(EventQueue<Integer> queue, int event) {
        try (Preparation<Integer> preparation = queue.prepareAll(List.of(event, event, event))) {
            if (preparation.outcome() != Outcome.ACCEPTED || event % 3 == 0) {
                return 0;
            }
            preparation.commit();
            return 3;
        }
    }
}
