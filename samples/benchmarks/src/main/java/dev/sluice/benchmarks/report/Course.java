package dev.sluice.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The points of a line over time. */
final class Course {

    /** The first, the lowest, the highest and the last one. */
    private static final int POINTS_OF_A_PIXEL = 4;

    /** A value at a time. */
    record Point(double seconds, double value) {
    }

    private Course() {
    }

    /**
     * {@return the points that make a visible difference: no point between two others of the same value, and, where
     * more of them are left than pixels, no more than four for each pixel}
     *
     * @param points in the order of their times
     * @param pixels the width of the line
     */
    static List<Point> thinned(List<Point> points, int pixels) {
        List<Point> corners = corners(points);
        if (corners.size() <= pixels) {
            return corners;
        }
        double first = corners.get(0).seconds();
        double length = corners.get(corners.size() - 1).seconds() - first;
        List<Point> thinned = new ArrayList<>();
        int begin = 0;
        for (int i = 1; i <= corners.size(); i++) {
            if (i == corners.size() || pixel(corners.get(i), first, length, pixels)
                    != pixel(corners.get(begin), first, length, pixels)) {
                thinned.addAll(extremes(corners.subList(begin, i)));
                begin = i;
            }
        }
        return thinned;
    }

    private static List<Point> corners(List<Point> points) {
        List<Point> corners = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            boolean isBetween = i > 0 && i < points.size() - 1
                    && points.get(i - 1).value() == points.get(i).value()
                    && points.get(i + 1).value() == points.get(i).value();
            if (!isBetween) {
                corners.add(points.get(i));
            }
        }
        return corners;
    }

    private static long pixel(Point point, double first, double length, int pixels) {
        return (long) ((point.seconds() - first) / length * (pixels - 1));
    }

    private static List<Point> extremes(List<Point> points) {
        if (points.size() <= POINTS_OF_A_PIXEL) {
            return points;
        }
        Point lowest = points.stream().min(Comparator.comparingDouble(Point::value)).orElseThrow();
        Point highest = points.stream().max(Comparator.comparingDouble(Point::value)).orElseThrow();
        return points.stream().filter(point -> point == points.get(0) || point == lowest || point == highest
                || point == points.get(points.size() - 1)).toList();
    }
}
