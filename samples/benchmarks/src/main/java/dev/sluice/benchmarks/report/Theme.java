package dev.sluice.benchmarks.report;

import java.awt.Color;
import java.awt.Font;
import java.util.List;

/** The colours of a chart: for pages of GitHub in light and in dark mode. */
enum Theme {

    /** Dark on white. */
    LIGHT(0xFFFFFF, 0x1F2328, 0xD1D9E0,
            List.of(0xAF4F03, 0x1E76D5, 0x0E3E33, 0x7A7575, 0x801071, 0x3F3506),
            List.of(0xFFC98F, 0xA9D0F5, 0xA6DFC6, 0xD5D9DE, 0xE3BFE8)),
    /** White on dark. */
    DARK(0x0D1117, 0xE6EDF3, 0x3D444D,
            List.of(0xEE4A00, 0xBCDDFD, 0x4AEFA6, 0x918C8C, 0xE73FDF, 0xFED663),
            List.of(0x7A3A00, 0x164A7D, 0x0F5A42, 0x444B54, 0x5F2E66));

    /** The size of all text but the title, in pixels. */
    static final int TEXT_SIZE = 13;

    private static final int TITLE_SIZE = 15;

    private final Color background;
    private final Color text;
    private final Color grid;
    private final List<Color> lines;
    private final List<Color> bars;

    Theme(int background, int text, int grid, List<Integer> lines, List<Integer> bars) {
        this.background = new Color(background);
        this.text = new Color(text);
        this.grid = new Color(grid);
        this.lines = lines.stream().map(Color::new).toList();
        this.bars = bars.stream().map(Color::new).toList();
    }

    Color background() {
        return background;
    }

    Color text() {
        return text;
    }

    /** {@return the colour of grids and axes} */
    Color grid() {
        return grid;
    }

    /** {@return the colours of lines and of their names: one for each of {@code Section.MAX_DRAWN}} */
    List<Color> lines() {
        return lines;
    }

    /** {@return the colours of bars, which text is written on: one for each {@link Family}} */
    List<Color> bars() {
        return bars;
    }

    Font font() {
        return new Font(Font.SANS_SERIF, Font.PLAIN, TEXT_SIZE);
    }

    Font boldFont() {
        return new Font(Font.SANS_SERIF, Font.BOLD, TEXT_SIZE);
    }

    Font titleFont() {
        return new Font(Font.SANS_SERIF, Font.BOLD, TITLE_SIZE);
    }
}
