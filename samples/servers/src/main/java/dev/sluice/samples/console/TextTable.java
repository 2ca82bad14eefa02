package dev.sluice.samples.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Columns of text, as wide as necessary; numbers are right-aligned, also with a ~ before them, or another number in
 * parentheses after them.
 */
public final class TextTable {

    private static final String GAP = "  ";
    private static final Pattern NUMBER = Pattern.compile("-|~?[\\d,]+(\\.\\d+)?( \\([\\d.,]+\\))?");

    private final List<String[]> rows = new ArrayList<>();
    private final List<String[]> remarks = new ArrayList<>();

    /**
     * Creates a table without rows.
     *
     * @param header the names of the columns
     */
    public TextTable(String... header) {
        rows.add(header);
    }

    /**
     * Adds a row.
     *
     * @param cells as many as there are columns
     */
    public void add(String... cells) {
        rows.add(cells);
    }

    /**
     * Adds a row below all others, which does not affect the alignment of the columns.
     *
     * @param cells as many as there are columns
     */
    public void addRemark(String... cells) {
        remarks.add(cells);
    }

    /**
     * Prints it in aligned columns.
     *
     * @param out the destination
     */
    public void print(PrintWriter out) {
        List<String[]> all = all();
        int[] widths = new int[rows.get(0).length];
        boolean[] right = new boolean[widths.length];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = all.stream().mapToInt(row -> row[column].length()).max().orElse(0);
            right[i] = rows.stream().skip(1).allMatch(row -> NUMBER.matcher(row[column]).matches());
        }
        for (String[] row : all) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                String padding = " ".repeat(widths[i] - row[i].length());
                line.append(right[i] ? padding + row[i] : row[i] + padding).append(GAP);
            }
            out.println(line.toString().stripTrailing());
        }
    }

    /**
     * Prints it as comma-separated values, which must not contain commas.
     *
     * @param out the destination
     */
    public void printCsv(PrintWriter out) {
        all().forEach(row -> out.println(String.join(",", row)));
    }

    private List<String[]> all() {
        List<String[]> all = new ArrayList<>(rows);
        all.addAll(remarks);
        return all;
    }
}
