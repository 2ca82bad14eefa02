package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The mean, a percentile, and the delay. */
@Tag(Depth.IN_QUICK)
class ResponseTimeControllersTest {

    /** The paper's. */
    private static final Duration TIME = Duration.ofSeconds(5);
    private static final long TARGET = TIME.toNanos();

    private static Decision threshold(int places) {
        return new Decision.Threshold(places);
    }

    @Test
    void theMeanDecidesAfter200Requests() {
        MeanController mean = new MeanController(TIME);
        assertEquals(threshold(1024), mean.decide(Samples.ofResponses(0, 0)));
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(199, 2 * TARGET)));
        assertEquals(threshold(512), mean.decide(Samples.ofResponses(1, 2 * TARGET)));
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(199, 2 * TARGET)));
    }

    @Test
    void theMeanFallsExponentiallyAndRisesByAConstant() {
        MeanController mean = new MeanController(TIME);
        mean.decide(Samples.ofResponses(0, 0));
        for (int expected = 512; expected >= 1; expected /= 2) {
            assertEquals(threshold(expected), mean.decide(Samples.ofResponses(200, TARGET * 111 / 100)));
        }
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(200, TARGET * 111 / 100)));
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(200, TARGET * 109 / 100)));
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(200, TARGET * 91 / 100)));
        assertEquals(threshold(3), mean.decide(Samples.ofResponses(200, TARGET * 89 / 100)));
        assertEquals(threshold(5), mean.decide(Samples.ofResponses(200, 0)));
        for (int i = 0; i < 1000; i++) {
            mean.decide(Samples.ofResponses(200, 0));
        }
        assertEquals(threshold(512), mean.decide(Samples.ofResponses(200, 2 * TARGET)));
    }

    @Test
    void theMeanIsThatOfAllRequests() {
        MeanController mean = new MeanController(Duration.ofSeconds(1)).threshold(20, 100);
        assertEquals(threshold(100), mean.decide(Samples.ofResponses(5, 0)));
        assertEquals(threshold(50), mean.decide(Samples.ofResponses(195, 5 * Samples.SECOND)));
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(100, 2 * Samples.SECOND)));
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(100, 0)));
        assertEquals(threshold(52), mean.decide(Samples.ofResponses(200, Samples.SECOND / 3)));
        assertEquals(threshold(26), mean.decide(Samples.ofResponses(200, 2 * Samples.SECOND)));
        assertEquals(threshold(20), mean.decide(Samples.ofResponses(200, 2 * Samples.SECOND)));
    }

    /**
     * Figure 13: 1024 clients, each of which sends a request of 40 ms as soon as it has a response. A client whose
     * request is refused by the queue gets an error immediately, and tries again.
     */
    @Test
    void theMeanKeepsThePapersTargetInFigure13() {
        MeanController mean = new MeanController(TIME);
        double cost = 0.040 * Samples.SECOND;
        int threshold = 1024;
        double response = 0;
        for (int i = 0; i < 400; i++) {
            // The queue is always full up to its threshold.
            response = threshold * cost;
            if (mean.decide(Samples.ofResponses(200, (long) response)) instanceof Decision.Threshold changed) {
                threshold = changed.places();
            }
        }
        double last = response;
        assertEquals(1, last / TARGET, 0.2, () -> "mean " + last / Samples.SECOND + " s");
    }

    @Test
    void aPercentileSetsARate() {
        PercentileController percentile = new PercentileController(TIME);
        assertEquals(5000, percentile.bucket().rate(), 1);
        assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(99, 2 * TARGET)));
        double rate = 5000 / 1.2;
        assertEquals(new Decision.Rate(rate), percentile.decide(Samples.ofResponses(1, 2 * TARGET)));
        assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(100, TARGET)));
        // The average falls below half of the target.
        for (int i = 0; i < 3; i++) {
            assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(100, 0)));
        }
        rate += 0.05 * rate;
        assertEquals(new Decision.Rate(rate), percentile.decide(Samples.ofResponses(100, 0)));
        // Ten in a hundred may take long, eleven not.
        long[] times = new long[100];
        Arrays.fill(times, 90, 100, 3 * TARGET);
        rate += 0.05 * rate;
        assertEquals(new Decision.Rate(rate), percentile.decide(sample(times)));
        Arrays.fill(times, 89, 100, 3 * TARGET);
        assertEquals(new Decision.Rate(rate / 1.2), percentile.decide(sample(times)));
    }

    private static StageSample sample(long[] times) {
        return new StageSample(Samples.MILLI, 0, 0, Long.MAX_VALUE, 1, 0, times.length, times.length, 0, times);
    }

    /** {@return the first rate that is decided when nothing takes any time and the queue is empty} */
    private static double raised(PercentileController percentile) {
        Decision decision = Decision.NOTHING;
        while (decision == Decision.NOTHING) {
            decision = percentile.decide(Samples.ofResponses(100, 0));
        }
        return ((Decision.Rate) decision).perSecond();
    }

    @Test
    void aPercentileRisesFasterWhereMuchIsServed() {
        PercentileController percentile = new PercentileController(TIME);
        double rate = PercentileController.MAX_RATE;
        while (rate > 20) {
            rate = ((Decision.Rate) percentile.decide(Samples.ofResponses(100, 2 * TARGET))).perSecond();
        }
        for (; rate < 40; rate += 2) {
            assertEquals(rate + 2, raised(percentile), 1e-9);
        }
        assertEquals(rate * 1.05, raised(percentile), 1e-9);
    }

    @Test
    void aPercentileFallsAtOnceToWhatIsServed() {
        PercentileController percentile = new PercentileController(TIME);
        percentile.decide(backlog(500, 100, TARGET));
        // It serves a thousand a second. The rate falls below that at once, and later to a quarter of it, but no lower.
        Decision.Rate first = (Decision.Rate) percentile.decide(backlog(500, 100, 2 * TARGET));
        assertEquals(1000 / 1.2, first.perSecond());
        for (int i = 0; i < 20; i++) {
            percentile.decide(backlog(500, 100, 2 * TARGET));
        }
        assertEquals(Decision.NOTHING, percentile.decide(backlog(500, 100, 2 * TARGET)));
        assertEquals(250 * 1.05, raised(percentile));
    }

    /** In a tenth of a second. */
    private static StageSample backlog(int length, int count, long nanos) {
        StageSample responses = Samples.ofResponses(count, nanos);
        return new StageSample(responses.elapsed(), length, 0, Long.MAX_VALUE, 1, 0, count, count,
                responses.responseSum(), responses.latestResponses());
    }

    @Test
    void aPercentileDoesNotWaitUntilABacklogIsLate() {
        PercentileController percentile = new PercentileController(TIME);
        assertEquals(Decision.NOTHING, percentile.decide(backlog(1000, 100, 0)));
        // It will take 2.6 s to serve them.
        assertEquals(new Decision.Rate(1000), percentile.decide(backlog(2600, 100, 0)));
        // They become fewer.
        assertEquals(new Decision.Rate(1050), percentile.decide(backlog(2550, 100, 0)));
    }

    /** At the minimum rate, the next event that could have a response time is admitted after 20 seconds. */
    @Test
    void percentileControllerEndsMinimumRateWhenBacklogIsDiscarded() {
        PercentileController percentile = new PercentileController(TIME);
        assertEquals(Decision.NOTHING, percentile.decide(backlog(6000, 100, TARGET)));
        // It would take 6 s to serve them.
        assertEquals(new Decision.Rate(PercentileController.MIN_RATE),
                percentile.decide(backlog(6000, 100, 2 * TARGET)));
        for (int i = 0; i < 9; i++) {
            assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(0, 0)));
        }
        assertEquals(new Decision.Rate(1000 / 1.2), percentile.decide(Samples.ofResponses(0, 0)));
        assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(0, 0)));
    }

    @Test
    void aBurstAfterAPauseIsNoBacklog() {
        PercentileController percentile = new PercentileController(TIME);
        for (int i = 0; i < 9; i++) {
            assertEquals(Decision.NOTHING, percentile.decide(backlog(0, 0, 0)));
        }
        assertEquals(Decision.NOTHING, percentile.decide(backlog(1000, 5, 0)));
        assertEquals(Decision.NOTHING, percentile.decide(backlog(900, 100, 0)));
    }

    /** A page of the model, by the seconds since its beginning. */
    private record Page(double asked, double served) {
        double waited() {
            return served - asked;
        }
    }

    /** Figure 13 for a percentile: what is refused comes again at once, so that as many get in as the rate lets. */
    private static List<Page> figure13(double perSecond, int seconds) {
        PercentileController percentile = new PercentileController(TIME);
        int clients = 1024;
        double tenth = 0.1;
        double rate = PercentileController.MAX_RATE;
        double admitted = 0;
        double handled = 0;
        Deque<Double> queue = new ArrayDeque<>();
        List<Page> pages = new ArrayList<>();
        for (int step = 0; step < seconds / tenth; step++) {
            for (admitted += rate * tenth; admitted >= 1; admitted--) {
                if (queue.size() < clients) {
                    queue.add(step * tenth);
                }
            }
            List<Long> responses = new ArrayList<>();
            for (handled += perSecond * tenth; handled >= 1 && !queue.isEmpty(); handled--) {
                Page page = new Page(queue.remove(), (step + 1) * tenth);
                responses.add((long) (page.waited() * Samples.SECOND));
                pages.add(page);
            }
            handled = Math.min(handled, 1);
            long[] times = responses.stream().mapToLong(time -> time).toArray();
            StageSample sample = new StageSample(100 * Samples.MILLI, queue.size(), 0, Long.MAX_VALUE, 1, 0,
                    times.length, times.length, 0, times);
            if (percentile.decide(sample) instanceof Decision.Rate changed) {
                rate = changed.perSecond();
            }
        }
        return pages;
    }

    @Test
    void aPercentileKeepsItsTargetInFigure13() {
        int perSecond = 25;
        int seconds = 300;
        List<Double> times = figure13(perSecond, seconds).stream().filter(page -> page.served() >= seconds / 2)
                .map(Page::waited).sorted().toList();
        double percentile90 = times.get(times.size() * 9 / 10);
        assertTrue(percentile90 < 5, () -> "90 % within " + percentile90 + " s");
        double share = times.size() / (perSecond * seconds / 2.0);
        assertTrue(share > 0.9, () -> "serves " + share + " of what it could");
    }

    /** It takes a minute to serve those that are let in before the first response times are known. */
    @Test
    void percentileControllerRejectsLateRequests() {
        int seconds = 200;
        List<Page> late = figure13(17, seconds).stream().filter(page -> page.asked() > 5 && page.waited() > 10)
                .toList();
        assertTrue(late.size() <= PercentileController.MIN_RATE * seconds, late::toString);
    }

    @Test
    void aPercentileDecidesAfterASecond() {
        PercentileController percentile = new PercentileController(TIME);
        for (int i = 0; i < 20; i++) {
            assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(0, 0)));
        }
        assertEquals(new Decision.Rate(5000 / 1.2), percentile.decide(Samples.ofResponses(1, 2 * TARGET)));
        for (int i = 0; i < 9; i++) {
            assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(1, 2 * TARGET)));
        }
        assertTrue(percentile.decide(Samples.ofResponses(1, 2 * TARGET)) instanceof Decision.Rate);
    }

    @Test
    void aPercentileStaysWithinItsLimits() {
        PercentileController percentile = new PercentileController(TIME);
        assertEquals(PercentileController.BURST, percentile.bucket().burst());
        assertEquals(PercentileController.MIN_RATE, lastRate(percentile, 2 * TARGET));
        assertEquals(PercentileController.MAX_RATE, lastRate(percentile, 0));
    }

    private static double lastRate(PercentileController percentile, long nanos) {
        double rate = Double.NaN;
        Decision decision = Decision.NOTHING;
        for (int i = 0; i < 300; i++) {
            decision = percentile.decide(Samples.ofResponses(100, nanos));
            if (decision instanceof Decision.Rate changed) {
                rate = changed.perSecond();
            }
        }
        assertEquals(Decision.NOTHING, decision);
        return rate;
    }

    @Test
    void theDelayDiscardsInOverloadOnly() {
        DelayController delay = new DelayController(TIME);
        assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(TARGET, 3 * TARGET)));
        assertEquals(new Decision.LongestWait(2 * TARGET), delay.decide(Samples.ofWait(TARGET + 1, 3 * TARGET)));
        assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(TARGET + 1, 0)));
        assertEquals(new Decision.LongestWait(Long.MAX_VALUE), delay.decide(Samples.ofWait(TARGET, 9 * TARGET)));
    }

    @Test
    void theDelayLooksAtTheOldestIfNoneIsTaken() {
        DelayController delay = new DelayController(Duration.ofMillis(5));
        assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(Long.MAX_VALUE, 0)));
        assertEquals(new Decision.LongestWait(10 * Samples.MILLI),
                delay.decide(Samples.ofWait(Long.MAX_VALUE, 6 * Samples.MILLI)));
    }

    @Test
    void theDelayTakesTheLeastOfItsInterval() {
        DelayController delay = new DelayController(Duration.ofMillis(5));
        assertEquals(Decision.NOTHING, delay.decide(halfAnInterval(9 * Samples.MILLI)));
        assertEquals(Decision.NOTHING, delay.decide(halfAnInterval(4 * Samples.MILLI)));
        assertEquals(Decision.NOTHING, delay.decide(halfAnInterval(9 * Samples.MILLI)));
        assertEquals(new Decision.LongestWait(10 * Samples.MILLI), delay.decide(halfAnInterval(9 * Samples.MILLI)));
    }

    private static StageSample halfAnInterval(long minWait) {
        return new StageSample(50 * Samples.MILLI, 1, 0, minWait, 1, 0, 1, 0, 0, new long[0]);
    }

    @Test
    void refuseWhatIsOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> new MeanController(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> new PercentileController(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> new DelayController(Duration.ZERO));
        MeanController mean = new MeanController(TIME);
        assertThrows(IllegalArgumentException.class, () -> mean.threshold(0, 1));
        assertThrows(IllegalArgumentException.class, () -> mean.threshold(2, 1));
    }
}
