package dev.sluice.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Lines of comma-separated values. */
final class Csv {

    private Csv() {
    }

    /** {@return a value, in quotation marks if it needs them} */
    static String quoted(String text) {
        return text.contains(",") || text.contains("\"") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    /** {@return the values of a line} */
    static List<String> values(String line) {
        List<String> values = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next == '"' && isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                value.append(next);
                i++;
            } else if (next == '"') {
                isQuoted = !isQuoted;
            } else if (next == ',' && !isQuoted) {
                values.add(value.toString());
                value.setLength(0);
            } else {
                value.append(next);
            }
        }
        values.add(value.toString());
        return values;
    }
}
