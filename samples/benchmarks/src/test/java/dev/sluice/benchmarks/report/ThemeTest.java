package dev.sluice.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.run.Section;
import java.awt.Color;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Colours that readers of all kinds can tell apart, on both backgrounds. */
class ThemeTest {

    /** What WCAG asks of text of this size. */
    private static final double MIN_CONTRAST = 4.5;
    /** In CIELAB, in which a difference of 2 is just visible. */
    private static final double MIN_DISTANCE = 20;

    /** What remains of linear red, green and blue: a simulation by Machado, Oliveira and Fernandes (2009). */
    private enum Sight {
        NORMAL(1, 0, 0, 0, 1, 0, 0, 0, 1),
        PROTANOPIA(0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998),
        DEUTERANOPIA(0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881),
        TRITANOPIA(1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900);

        private final double[] matrix;

        Sight(double... matrix) {
            this.matrix = matrix;
        }

        /** {@return linear red, green and blue as they are seen} */
        double[] see(Color color) {
            double[] light = linear(color);
            double[] seen = new double[3];
            for (int i = 0; i < seen.length; i++) {
                double sum = matrix[3 * i] * light[0] + matrix[3 * i + 1] * light[1] + matrix[3 * i + 2] * light[2];
                seen[i] = Math.max(0, Math.min(1, sum));
            }
            return seen;
        }
    }

    private static double[] linear(Color color) {
        double[] linear = new double[3];
        int[] parts = {color.getRed(), color.getGreen(), color.getBlue()};
        for (int i = 0; i < parts.length; i++) {
            double part = parts[i] / 255.0;
            linear[i] = part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
        }
        return linear;
    }

    private static double luminance(double[] light) {
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
    }

    private static double contrast(Color one, Color other) {
        double first = luminance(linear(one)) + 0.05;
        double second = luminance(linear(other)) + 0.05;
        return Math.max(first, second) / Math.min(first, second);
    }

    private static double[] lab(double[] light) {
        double x = root((0.4124 * light[0] + 0.3576 * light[1] + 0.1805 * light[2]) / 0.9505);
        double y = root(luminance(light));
        double z = root((0.0193 * light[0] + 0.1192 * light[1] + 0.9505 * light[2]) / 1.089);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double root(double value) {
        return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16.0 / 116;
    }

    private static double distance(double[] one, double[] other) {
        return Math.sqrt(Math.pow(one[0] - other[0], 2) + Math.pow(one[1] - other[1], 2)
                + Math.pow(one[2] - other[2], 2));
    }

    @ParameterizedTest
    @EnumSource
    void linesDiffer(Theme theme) {
        List<Color> lines = theme.lines();
        assertEquals(Section.MAX_DRAWN, lines.size());
        for (Sight sight : Sight.values()) {
            for (int i = 0; i < lines.size(); i++) {
                for (int j = 0; j < i; j++) {
                    double distance = distance(lab(sight.see(lines.get(i))), lab(sight.see(lines.get(j))));
                    String pair = sight + ": " + lines.get(i) + " and " + lines.get(j) + " are " + distance + " apart";
                    assertTrue(distance >= MIN_DISTANCE, pair);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void textIsReadable(Theme theme) {
        assertContrast(theme.text(), theme.background());
        theme.lines().forEach(name -> assertContrast(name, theme.background()));
        theme.bars().forEach(bar -> assertContrast(theme.text(), bar));
        assertEquals(Family.values().length, theme.bars().size());
    }

    private static void assertContrast(Color text, Color background) {
        double contrast = contrast(text, background);
        assertTrue(contrast >= MIN_CONTRAST, () -> text + " on " + background + " has a contrast of " + contrast);
    }

    @Test
    void eachLineHasAColourOfItsOwn() {
        assertEquals(List.of(0, 2, 3, 1),
                Family.distinct(List.of("Sluice", "Sluice too", "Sluice, too", "java.nio"), 6));
        assertEquals(List.of(4, 0, 1, 2, 3, 5), Family.distinct(List.of("a", "b", "c", "d", "e", "f"), 6));
    }
}
