package dev.sluice.samples.stages;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers of response times that a requester had seen at its last request.
 *
 * @param counts for each stage, in the order of the graph; stages that are missing there are new to it
 */
record Looks(long... counts) {

    /** The requester has seen nothing before. */
    static final Looks FIRST = new Looks();

    /** 15 digits, which a double of the page holds exactly. Possessive, or each number would take more of the stack. */
    private static final Pattern QUERY = Pattern.compile("\\?since=(\\d{1,15}(?:,\\d{1,15})*+)");

    /** Understands the query of a request; null if it is none of these. */
    static Looks parse(String query) {
        if (query.isEmpty()) {
            return FIRST;
        }
        Matcher matcher = QUERY.matcher(query);
        if (!matcher.matches()) {
            return null;
        }
        String[] numbers = matcher.group(1).split(",");
        long[] counts = new long[numbers.length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = Long.parseLong(numbers[i]);
        }
        return new Looks(counts);
    }

    /** {@return the number that the requester has seen of a stage} */
    long count(int stage) {
        return stage < counts.length ? counts[stage] : 0;
    }
}
