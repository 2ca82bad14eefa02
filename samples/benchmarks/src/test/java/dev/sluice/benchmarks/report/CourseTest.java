package dev.sluice.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.report.Course.Point;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A line over time is drawn with no more points than make a difference. */
class CourseTest {

    @Test
    void leavesOutPointsBetweenEqualOnes() {
        assertEquals(List.of(new Point(0, 1), new Point(2, 1), new Point(3, 2), new Point(4, 1)), Course.thinned(
                List.of(new Point(0, 1), new Point(1, 1), new Point(2, 1), new Point(3, 2), new Point(4, 1)), 100));
    }

    @Test
    void keepsTheExtremesOfEachPixel() {
        List<Point> points = IntStream.range(0, 100_000).mapToObj(i -> new Point(i, i == 777 ? -5 : i % 2)).toList();
        List<Point> thinned = Course.thinned(points, 100);
        assertTrue(thinned.size() <= 400, () -> thinned.size() + " points");
        assertTrue(thinned.contains(new Point(777, -5)));
        assertEquals(points.get(0), thinned.get(0));
        assertEquals(points.get(99_999), thinned.get(thinned.size() - 1));
    }
}
