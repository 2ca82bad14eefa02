package dev.sluice.samples.hybrid;

import dev.sluice.samples.lines.Lines;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The response of a node.
 *
 * @param id      of the call
 * @param value   of the number
 * @param problem why there is no value; null if there is
 */
record Response(long id, long value, String problem) {

    private static final String ERROR = "error ";
    private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (?:(\\d{1,18})|" + ERROR + "(.*))");

    static Response parse(String line) throws IOException {
        Matcher response = LINE.matcher(line);
        if (!response.matches()) {
            throw new IOException("unexpected answer of the peer: '" + line + "'");
        }
        String value = response.group(2);
        return new Response(Long.parseLong(response.group(1)), value == null ? 0 : Long.parseLong(value),
                response.group(3));
    }

    /** {@return this as a line, truncated to the maximum length} */
    String line() {
        String line = id + " " + (problem == null ? value : ERROR + problem.replaceAll("[^ -~]", "?"));
        return line.substring(0, Math.min(line.length(), Lines.LONGEST - 1));
    }

    /** {@return the value} */
    long require() throws IOException {
        if (problem != null) {
            throw new IOException(problem);
        }
        return value;
    }
}
