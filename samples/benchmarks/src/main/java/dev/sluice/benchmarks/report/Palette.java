package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Sample;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * What each contestant looks like: the same in all charts of a report. Families differ in hue, and those of a family in
 * lightness, markers and strokes, so that no reader has to tell red from green. Only Sluice is orange.
 */
final class Palette {

    // In an order in which neighbours are easily told apart.
    private static final float[] ON_LIGHT = {0.38f, 0.52f, 0.25f, 0.62f, 0.45f, 0.32f, 0.58f, 0.20f};
    private static final float[] ON_DARK = {0.58f, 0.74f, 0.46f, 0.84f, 0.64f, 0.52f, 0.78f, 0.42f};
    private static final Marker[] MARKERS = {SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND,
        SeriesMarkers.TRIANGLE_UP, SeriesMarkers.TRIANGLE_DOWN, SeriesMarkers.CROSS};
    private static final float[][] DASHES = {null, {8, 4}, {2, 4}, {12, 4, 2, 4}, {4, 4}};

    /** Who belongs together, by how the name begins. After the colours of Okabe and Ito, for eyes of all kinds. */
    private enum Family {
        SLUICE("Sluice", 22, 44, 1.0),
        // Concurrency strategies, all of them Sluice's: what stands on threads is one of the others.
        OF_REACTORS("(reactor|leader|half)-", 22, 44, 1.0),
        OF_PROACTORS("(concurrent-)?proactor", 204, 222, 0.9),
        JAVA("java\\.nio", 204, 222, 0.9),
        NETTY("Netty", 160, 180, 0.65),
        C("C ", 0, 0, 0),
        OTHERS("", 325, 275, 0.55);

        private final Pattern beginning;
        private final double[] hues;
        private final double saturation;

        Family(String beginning, double hue, double otherHue, double saturation) {
            this.beginning = Pattern.compile(beginning);
            this.hues = new double[] {hue, otherHue};
            this.saturation = saturation;
        }

        static Family of(String contestant) {
            for (Family family : values()) {
                if (family.beginning.matcher(contestant).lookingAt()) {
                    return family;
                }
            }
            throw new IllegalStateException("no family contains the contestant " + contestant);
        }
    }

    private record Place(Family family, int index) {
    }

    private final Map<String, Place> places = new HashMap<>();

    /**
     * Makes one for a report.
     *
     * @param samples all of the run, in their order
     */
    Palette(List<Sample> samples) {
        Map<Family, Integer> next = new EnumMap<>(Family.class);
        samples.stream().map(Sample::contestant).distinct().forEach(contestant -> {
            Family family = Family.of(contestant);
            places.put(contestant, new Place(family, next.merge(family, 1, Integer::sum) - 1));
        });
    }

    Color color(String contestant, Theme theme) {
        Place place = places.get(contestant);
        float[] steps = theme == Theme.LIGHT ? ON_LIGHT : ON_DARK;
        double lightness = steps[place.index() % steps.length];
        Family family = place.family();
        // The conversion of HSL to HSB.
        double brightness = lightness + family.saturation * Math.min(lightness, 1 - lightness);
        double hue = family.hues[place.index() % family.hues.length];
        return Color.getHSBColor((float) (hue / 360), (float) (2 * (1 - lightness / brightness)), (float) brightness);
    }

    Marker marker(String contestant) {
        return MARKERS[places.get(contestant).index() % MARKERS.length];
    }

    BasicStroke stroke(String contestant) {
        // Dashes only where markers begin again.
        float[] dash = DASHES[places.get(contestant).index() / MARKERS.length % DASHES.length];
        return new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dash, 0);
    }
}
