package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts, and when. */
class ClientsTallyTest {

    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final ClientsTally tally = new ClientsTally(2, 1, ProcessHandle.current().pid());

    @Test
    void knowsJainsIndex() {
        assertEquals(1, ClientsTally.fairness(7, 7, 7));
        assertEquals(0.25, ClientsTally.fairness(9, 0, 0, 0));
        assertEquals(0.9, ClientsTally.fairness(1, 2), 1e-9);
        assertEquals(0, ClientsTally.fairness(0, 0));
    }

    @Test
    void countsOnlyWhatComesWhileItMeasures() throws IOException {
        tally.served(0, MILLI);
        tally.received(10);
        tally.refused();
        tally.unanswered();
        tally.begin();
        tally.served(0, MILLI);
        tally.served(0, MILLI);
        tally.served(1, 4 * MILLI);
        tally.received(100);
        tally.refused();
        tally.end();
        assertTrue(tally.isOver());
        tally.received(1_000);
        tally.refused();
        tally.refused();

        ClientsResult result = tally.result(null);
        assertEquals(3, result.served());
        assertEquals(1, result.refused());
        assertEquals(0, result.unanswered());
        assertEquals(100, result.bytes());
        assertEquals(0.9, result.fairness(), 1e-9);
        assertEquals(2_000, result.mean(), 2);
        assertEquals(1_000, result.percentile(50), 2);
        assertEquals(4_000, result.percentile(100), 4);
    }

    /** Otherwise they would count for longer than the pages and refusals that their share is taken of. */
    @Test
    void visitorsWhoLosePatienceCountOnlyWhileItMeasures() throws IOException {
        tally.lostPatience();
        tally.begin();
        tally.lostPatience();
        tally.end();
        tally.lostPatience();

        assertEquals(1, tally.result(null).unanswered());
    }

    /** Also before it measures. */
    @Test
    void theCourseHasAValueForEachWindowOfTheWholeRun() throws IOException {
        tally.served(0, 3 * MILLI);
        long start = System.nanoTime();
        while (System.nanoTime() - start < 3 * MILLI) {
            Thread.onSpinWait();
        }
        tally.begin();
        tally.served(0, 7 * MILLI);
        tally.end();
        tally.served(0, 9 * MILLI);
        List<Double> course = tally.result(null).course();
        assertTrue(course.size() >= 3, course::toString);
        assertTrue(course.contains(0.0), course::toString);
        assertTrue(course.stream().allMatch(each -> each < 7_100), course::toString);
        assertTrue(course.stream().anyMatch(each -> Math.abs(each - 3_000) < 10), course::toString);
    }

    /** What takes longest is what has not come at the end. */
    @Test
    void takesTheTimesOfWhatComesLaterToo() throws IOException {
        tally.begin();
        tally.served(0, MILLI);
        tally.end();
        tally.served(1, 50 * MILLI);
        tally.waitsStill(9_000_000 * MILLI);

        ClientsResult result = tally.result(null);
        assertEquals(1, result.served());
        assertEquals(1, result.unanswered());
        assertEquals(50_000, result.percentile(50), 50);
        assertEquals(9e9, result.percentile(100), 1e7);
    }
}
