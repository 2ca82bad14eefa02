package dev.sluice.samples.doctor;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Columns of text, as wide as they have to be. */
final class TextTable {

    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    TextTable(String... header) {
        rows.add(header);
    }

    void add(String... cells) {
        rows.add(cells);
    }

    void print(PrintWriter out) {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - row[i].length())).append(GAP);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
