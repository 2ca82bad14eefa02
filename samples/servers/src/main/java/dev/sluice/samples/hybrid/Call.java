package dev.sluice.samples.hybrid;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A call of a node.
 *
 * @param id     chosen by the client, to identify the response
 * @param number the index of the Fibonacci number
 */
record Call(long id, int number) {

    /** The largest number: each of two nodes then has at most half as many calls open for one client. */
    static final int MAX_NUMBER = 25;

    private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (\\d{1,9})");

    static Call parse(String line) throws IOException {
        Matcher call = LINE.matcher(line);
        if (!call.matches()) {
            throw new IOException("expected 'ID N' with two integers, but got '" + line + "'");
        }
        return new Call(Long.parseLong(call.group(1)), Integer.parseInt(call.group(2)));
    }

    /** {@return this as a line} */
    String line() {
        return id + " " + number;
    }
}
