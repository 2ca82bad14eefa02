package dev.sluice.benchmarks.report;

import java.awt.Color;
import java.awt.Font;
import java.util.List;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;

/** What a chart is drawn on: pages as GitHub shows them, by day and by night. */
enum Theme {

    /** Dark on white. */
    LIGHT(0xFFFFFF, 0x1F2328, 0xD1D9E0),
    /** White on dark. */
    DARK(0x0D1117, 0xE6EDF3, 0x3D444D);

    private static final int TITLE = 16;
    private static final int TEXT = 13;

    private final Color background;
    private final Color text;
    private final Color lines;

    Theme(int background, int text, int lines) {
        this.background = new Color(background);
        this.text = new Color(text);
        this.lines = new Color(lines);
    }

    /** {@return what is drawn in addition to the contestants} */
    List<Color> colors() {
        return List.of(background, text, lines);
    }

    /** Gives a chart its colours and fonts. */
    void dress(AxesChartStyler styler) {
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, TEXT);
        styler.setAxisTickLabelsFont(font).setAxisTitleFont(font)
                .setAxisTickLabelsColor(text).setAxisTickMarksColor(lines)
                .setPlotGridLinesColor(lines).setPlotGridVerticalLinesVisible(false).setAxisTicksLineVisible(false)
                .setXAxisTitleColor(text).setYAxisTitleColor(text)
                .setChartBackgroundColor(background).setChartFontColor(text)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, TITLE)).setChartTitleBoxVisible(false)
                .setLegendFont(font).setLegendBackgroundColor(background).setLegendBorderColor(background)
                .setLegendPosition(Styler.LegendPosition.OutsideE)
                .setPlotBackgroundColor(background).setPlotBorderVisible(false)
                .setAnnotationLineColor(text);
    }
}
