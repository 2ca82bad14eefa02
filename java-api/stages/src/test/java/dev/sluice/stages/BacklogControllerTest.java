package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The controller against a model of a stage and its clients, whose time is that of the model. */
@Tag(Depth.IN_QUICK)
class BacklogControllerTest {

    private static final Duration TIME = Duration.ofSeconds(5);
    private static final double TARGET = TIME.toSeconds();
    private static final double COST = 0.040;
    /** Of a sample. */
    private static final double TENTH = 0.1;

    /** An answered request, by the seconds since the beginning. */
    private record Answer(double asked, double answered) {
        double waited() {
            return answered - asked;
        }
    }

    /** A stage with threads of its own in front of which requests queue up. */
    private static final class Model {

        private final StageController controller;
        private final Random random = new Random(42);
        private final PriorityQueue<Double> arrivals = new PriorityQueue<>();
        private final Deque<Double> queue = new ArrayDeque<>();
        private final double[] freeAt;
        private final List<Answer> served = new ArrayList<>();
        private final double pause;
        private int threshold = Integer.MAX_VALUE;
        private double longestWait = Double.MAX_VALUE;
        private int handled;

        /**
         * Creates a model.
         *
         * @param controller of the stage
         * @param threads    of the stage
         * @param pause      after which a client comes back that has an answer; infinite if it does not
         */
        private Model(StageController controller, int threads, double pause) {
            this.controller = controller;
            this.freeAt = new double[threads];
            this.pause = pause;
        }

        /** Adds the arrivals of clients at a rate, which may change. */
        private void arrive(DoubleUnaryOperator perSecond, double until) {
            for (double at = 0; at < until; at += -Math.log(1 - random.nextDouble()) / perSecond.applyAsDouble(at)) {
                arrivals.add(at);
            }
        }

        private void run(double until, DoubleUnaryOperator cost) {
            for (double sample = TENTH; sample < until; sample += TENTH) {
                runUntil(sample, cost);
                StageSample seen = new StageSample((long) (TENTH * Samples.SECOND), queue.size(), 0, Long.MAX_VALUE,
                        freeAt.length, 0, handled, handled, 0, new long[0]);
                handled = 0;
                Decision decision = controller.decide(seen);
                if (decision instanceof Decision.Threshold changed) {
                    threshold = changed.places();
                } else if (decision instanceof Decision.LongestWait changed) {
                    longestWait = changed.nanos() / (double) Samples.SECOND;
                }
            }
        }

        private void runUntil(double end, DoubleUnaryOperator cost) {
            while (true) {
                int first = firstFree();
                double start = queue.isEmpty() ? Double.MAX_VALUE : Math.max(freeAt[first], queue.peek());
                double arrival = arrivals.isEmpty() ? Double.MAX_VALUE : arrivals.peek();
                if (Math.min(start, arrival) >= end) {
                    return;
                }
                if (arrival <= start) {
                    arrivals.remove();
                    if (queue.size() < threshold) {
                        queue.add(arrival);
                    } else {
                        comeBack(arrival);
                    }
                } else {
                    serve(first, start, cost);
                }
            }
        }

        private void serve(int thread, double start, DoubleUnaryOperator cost) {
            double asked = queue.remove();
            if (start - asked > longestWait) {
                comeBack(start);
                return;
            }
            freeAt[thread] = start + cost.applyAsDouble(start) * (0.5 + random.nextDouble());
            served.add(new Answer(asked, freeAt[thread]));
            handled++;
            comeBack(freeAt[thread]);
        }

        private void comeBack(double at) {
            if (pause < Double.MAX_VALUE) {
                arrivals.add(at + pause);
            }
        }

        private int firstFree() {
            int first = 0;
            for (int i = 1; i < freeAt.length; i++) {
                first = freeAt[i] < freeAt[first] ? i : first;
            }
            return first;
        }
    }

    /** That the 90th percentile of each window of one target is below 1.5 targets, from two targets after a step on. */
    private static void assertKept(Model model, double step, double until, double perSecond) {
        for (double from = step + 2 * TARGET; from + TARGET <= until; from += TARGET) {
            double begin = from;
            double[] waits = model.served.stream()
                    .filter(answer -> answer.answered() >= begin && answer.answered() < begin + TARGET)
                    .mapToDouble(Answer::waited).sorted().toArray();
            double high = waits[waits.length * 9 / 10];
            assertTrue(high < 1.5 * TARGET, () -> "90 % within " + high + " s, from " + begin + " s on");
        }
        double share = model.served.stream().filter(answer -> answer.answered() >= step && answer.answered() < until)
                .count() / (perSecond * (until - step));
        assertTrue(share >= 0.9, () -> "serves " + share + " of what it can");
    }

    /** Clients come as fast as they like, from some time on ten times as many of them. */
    @ParameterizedTest
    @CsvSource({"1, 12", "1, 24", "4, 50", "4, 99"})
    void aTenfoldStepOfLoadIsServedInTime(int threads, double perSecond) {
        double step = 60;
        double until = 240;
        Model model = new Model(new BacklogController(TIME), threads, Double.MAX_VALUE);
        model.arrive(at -> at < step ? perSecond : 10 * perSecond, until);
        model.run(until, at -> COST);
        assertKept(model, step, until, threads / COST);
    }

    /** Figure 13, and with more than a queue of 41 seconds at once: clients that ask again as soon as they can. */
    @ParameterizedTest
    @CsvSource({"600, 0.2", "1024, 0.2", "4096, 1"})
    void manyClientsAtOnceAreServedInTime(int clients, double pause) {
        double until = 90;
        Model model = new Model(new BacklogController(TIME), 1, pause);
        for (int i = 0; i < clients; i++) {
            model.arrivals.add(0.0);
        }
        model.run(until, at -> COST);
        assertKept(model, 0, until, 1 / COST);
    }

    /** What a request costs becomes ten times as much, which is a tenfold step of load as well. */
    @Test
    void aStageThatBecomesSlowerServesInTime() {
        double step = 60;
        double until = 240;
        Model model = new Model(new BacklogController(TIME), 4, Double.MAX_VALUE);
        model.arrive(at -> 90, until);
        model.run(until, at -> at < step ? COST : 10 * COST);
        assertKept(model, step, until, 4 / (10 * COST));
    }

    /** The paper's controller, and the others, do not; if one does some day, the documents have to say so. */
    @Test
    void thePapersControllerDoesNot() {
        double until = 90;
        Model model = new Model(new MeanController(TIME), 1, 0.2);
        for (int i = 0; i < 1024; i++) {
            model.arrivals.add(0.0);
        }
        model.run(until, at -> COST);
        assertThrows(AssertionError.class, () -> assertKept(model, 0, until, 1 / COST));
    }

    @Test
    void capacityIsMeasuredWhileTheQueueIsNotEmpty() {
        BacklogController backlog = new BacklogController(Duration.ofSeconds(2));
        assertEquals(new Decision.LongestWait(2500 * Samples.MILLI), backlog.decide(sample(0, 50)));
        assertEquals(Decision.NOTHING, backlog.decide(sample(0, 50)));
        assertEquals(Decision.NOTHING, backlog.decide(sample(5, 50)));
        assertEquals(Decision.NOTHING, backlog.decide(sample(5, 3)));
        // 40 a second, of which 64 take four fifths of the target.
        assertEquals(new Decision.Threshold(64), backlog.decide(sample(5, 5)));
        assertEquals(Decision.NOTHING, backlog.decide(sample(5, 3)));
        assertEquals(Decision.NOTHING, backlog.decide(sample(5, 5)));
        // The average of 40 and 60.
        assertEquals(Decision.NOTHING, backlog.decide(sample(5, 6)));
        assertEquals(new Decision.Threshold(80), backlog.decide(sample(5, 6)));
    }

    @Test
    void aStageThatHandlesNothingForATargetLetsOneIn() {
        BacklogController backlog = new BacklogController(Duration.ofSeconds(1));
        backlog.decide(sample(5, 1));
        for (int i = 0; i < 9; i++) {
            assertEquals(Decision.NOTHING, backlog.decide(sample(5, 0)));
        }
        assertEquals(new Decision.Threshold(1), backlog.decide(sample(5, 0)));
    }

    private static StageSample sample(int length, int handled) {
        return new StageSample(100 * Samples.MILLI, length, 0, Long.MAX_VALUE, 1, 0, handled, 0, 0, new long[0]);
    }

    @Test
    void refusesWhatIsOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> new BacklogController(Duration.ZERO));
    }
}
