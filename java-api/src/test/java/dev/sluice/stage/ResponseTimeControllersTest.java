package dev.sluice.stage;

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

    private static final long TARGET = 5 * Samples.SECOND;

    private static Decision threshold(int places) {
        return new Decision.Threshold(places);
    }

    @Test
    void theMeanDecidesAfter200Requests() {
        MeanController mean = new MeanController();
        assertEquals(threshold(1024), mean.decide(Samples.ofResponses(0, 0)));
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(199, 2 * TARGET)));
        assertEquals(threshold(512), mean.decide(Samples.ofResponses(1, 2 * TARGET)));
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(199, 2 * TARGET)));
    }

    @Test
    void theMeanFallsExponentiallyAndRisesByAConstant() {
        MeanController mean = new MeanController();
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
        MeanController mean = new MeanController(Duration.ofSeconds(1)).requests(10).change(4, 7).threshold(2, 100)
                .shares(0.5, 2);
        assertEquals(threshold(100), mean.decide(Samples.ofResponses(5, 0)));
        assertEquals(threshold(25), mean.decide(Samples.ofResponses(5, 5 * Samples.SECOND)));
        assertEquals(Decision.NOTHING, mean.decide(Samples.ofResponses(10, Samples.SECOND)));
        assertEquals(threshold(32), mean.decide(Samples.ofResponses(10, Samples.SECOND / 3)));
    }

    /**
     * Figure 13: 1024 clients, each of which asks again as soon as it has an answer, for what takes 40 ms. Whoever does
     * not get into the queue gets an error at once, and comes back.
     */
    @Test
    void theMeanKeepsThePapersTargetInFigure13() {
        MeanController mean = new MeanController();
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
        PercentileController percentile = new PercentileController().oldWeight(0).shares(0, 0);
        assertEquals(5000, percentile.bucket().rate(), 1);
        assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(99, 2 * TARGET)));
        assertEquals(new Decision.Rate(5000 / 1.2), percentile.decide(Samples.ofResponses(1, 2 * TARGET)));
        assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(100, TARGET)));
        assertEquals(new Decision.Rate(5000 / 1.2 + 2), percentile.decide(Samples.ofResponses(100, TARGET / 3)));
        // Ten in a hundred may take long, eleven not.
        long[] times = new long[100];
        Arrays.fill(times, 90, 100, 3 * TARGET);
        assertEquals(new Decision.Rate(5000 / 1.2 + 4), percentile.decide(sample(times)));
        Arrays.fill(times, 89, 100, 3 * TARGET);
        assertEquals(new Decision.Rate((5000 / 1.2 + 4) / 1.2), percentile.decide(sample(times)));
    }

    private static StageSample sample(long[] times) {
        return new StageSample(Samples.MILLI, 0, 0, Long.MAX_VALUE, 1, 0, times.length, times.length, 0, times);
    }

    @Test
    void aPercentileRisesFasterWhereMuchIsServed() {
        PercentileController percentile = new PercentileController().oldWeight(0).rate(1, 1000, 1).change(5, 3, 0.5)
                .shares(0.1, 0);
        assertEquals(new Decision.Rate(200), percentile.decide(Samples.ofResponses(100, 2 * TARGET)));
        assertEquals(new Decision.Rate(220), percentile.decide(Samples.ofResponses(100, 0)));
        assertEquals(new Decision.Rate(44), percentile.decide(Samples.ofResponses(100, 2 * TARGET)));
        assertEquals(new Decision.Rate(48.4), percentile.decide(Samples.ofResponses(100, 0)));
        assertEquals(new Decision.Rate(9.68), percentile.decide(Samples.ofResponses(100, 2 * TARGET)));
        assertEquals(new Decision.Rate(12.68), percentile.decide(Samples.ofResponses(100, 0)));
    }

    @Test
    void aPercentileFallsAtOnceToWhatIsServed() {
        PercentileController percentile = new PercentileController().oldWeight(0);
        percentile.decide(backlog(500, 100, TARGET));
        // It serves a thousand a second. The rate falls below that at once, and later to a quarter of it, but no lower.
        Decision.Rate first = (Decision.Rate) percentile.decide(backlog(500, 100, 2 * TARGET));
        assertEquals(1000 / 1.2, first.perSecond());
        for (int i = 0; i < 20; i++) {
            percentile.decide(backlog(500, 100, 2 * TARGET));
        }
        assertEquals(Decision.NOTHING, percentile.decide(backlog(500, 100, 2 * TARGET)));
        assertEquals(new Decision.Rate(250 * 1.05), percentile.decide(backlog(0, 100, TARGET / 3)));
    }

    /** In a tenth of a second. */
    private static StageSample backlog(int length, int count, long nanos) {
        StageSample responses = Samples.ofResponses(count, nanos);
        return new StageSample(responses.elapsed(), length, 0, Long.MAX_VALUE, 1, 0, count, count,
                responses.responseSum(), responses.latestResponses());
    }

    @Test
    void aPercentileDoesNotWaitUntilABacklogIsLate() {
        PercentileController percentile = new PercentileController().oldWeight(0);
        assertEquals(Decision.NOTHING, percentile.decide(backlog(1000, 100, 0)));
        // It will take 2.6 s to serve them.
        assertEquals(new Decision.Rate(1000), percentile.decide(backlog(2600, 100, 0)));
        // They become fewer.
        assertEquals(new Decision.Rate(1050), percentile.decide(backlog(2550, 100, 0)));
    }

    @Test
    void aBurstAfterAPauseIsNoBacklog() {
        PercentileController percentile = new PercentileController().oldWeight(0);
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
        PercentileController percentile = new PercentileController();
        int clients = 1024;
        double tenth = 0.1;
        double rate = PercentileController.MOST;
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
    void aPercentileLetsHardlyAnybodyInWhoWouldBeLate() {
        int seconds = 200;
        List<Page> late = figure13(17, seconds).stream().filter(page -> page.asked() > 5 && page.waited() > 10)
                .toList();
        assertTrue(late.size() <= PercentileController.LEAST * seconds, late::toString);
    }

    @Test
    void aPercentileDecidesAfterASecond() {
        PercentileController percentile = new PercentileController().oldWeight(0);
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
        PercentileController percentile = new PercentileController(Duration.ofSeconds(1)).rate(10, 20, 3).oldWeight(0.5)
                .percentile(50).window(1, Duration.ofHours(1)).change(3, 4, 0.9);
        assertEquals(3, percentile.bucket().burst());
        assertEquals(new Decision.Rate(10), percentile.decide(Samples.ofResponses(1, 3 * Samples.SECOND)));
        // The average of 3 and 0 is 1.5.
        assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(1, 0)));
        assertEquals(new Decision.Rate(14), percentile.decide(Samples.ofResponses(1, 0)));
        for (int i = 0; i < 10; i++) {
            percentile.decide(Samples.ofResponses(1, 0));
        }
        assertEquals(Decision.NOTHING, percentile.decide(Samples.ofResponses(1, 0)));
    }

    @Test
    void theDelayDiscardsInOverloadOnly() {
        DelayController delay = new DelayController();
        assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(TARGET, 3 * TARGET)));
        assertEquals(new Decision.LongestWait(2 * TARGET), delay.decide(Samples.ofWait(TARGET + 1, 3 * TARGET)));
        assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(TARGET + 1, 0)));
        assertEquals(new Decision.LongestWait(Long.MAX_VALUE), delay.decide(Samples.ofWait(TARGET, 9 * TARGET)));
    }

    @Test
    void theDelayLooksAtTheOldestIfNoneIsTaken() {
        DelayController delay = new DelayController(Duration.ofMillis(5)).late(3);
        assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(Long.MAX_VALUE, 0)));
        assertEquals(new Decision.LongestWait(15 * Samples.MILLI),
                delay.decide(Samples.ofWait(Long.MAX_VALUE, 6 * Samples.MILLI)));
    }

    @Test
    void theDelayTakesTheLeastOfItsInterval() {
        DelayController delay = new DelayController(Duration.ofMillis(5)).interval(Duration.ofMillis(300));
        assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(9 * Samples.MILLI, 0)));
        assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(4 * Samples.MILLI, 0)));
        assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(9 * Samples.MILLI, 0)));
        for (int i = 0; i < 2; i++) {
            assertEquals(Decision.NOTHING, delay.decide(Samples.ofWait(9 * Samples.MILLI, 0)));
        }
        assertEquals(new Decision.LongestWait(10 * Samples.MILLI), delay.decide(Samples.ofWait(9 * Samples.MILLI, 0)));
    }

    @Test
    void refuseWhatIsOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> new MeanController(Duration.ZERO));
        MeanController mean = new MeanController();
        assertThrows(IllegalArgumentException.class, () -> mean.requests(0));
        assertThrows(IllegalArgumentException.class, () -> mean.shares(1.1, 1));
        assertThrows(IllegalArgumentException.class, () -> mean.shares(0.9, 0.9));
        assertThrows(IllegalArgumentException.class, () -> mean.change(1, 1));
        assertThrows(IllegalArgumentException.class, () -> mean.change(2, 0));
        assertThrows(IllegalArgumentException.class, () -> mean.threshold(0, 1));
        assertThrows(IllegalArgumentException.class, () -> mean.threshold(2, 1));
        PercentileController percentile = new PercentileController();
        assertThrows(IllegalArgumentException.class, () -> percentile.percentile(101));
        assertThrows(IllegalArgumentException.class, () -> percentile.window(0, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> percentile.rate(0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> percentile.rate(2, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> percentile.change(1, 1, 0.5));
        assertThrows(IllegalArgumentException.class, () -> percentile.shares(-0.1, 0.5));
        assertThrows(IllegalArgumentException.class, () -> percentile.shares(0.5, 1.1));
        DelayController delay = new DelayController();
        assertThrows(IllegalArgumentException.class, () -> delay.interval(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> delay.late(0.5));
    }
}
