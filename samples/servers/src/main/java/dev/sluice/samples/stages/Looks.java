package dev.sluice.samples.stages;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers of response times that a requester had seen at its last request.
 *
 * @param counts by the numbers of the stages; stages that are missing there are new to it
 */
record Looks(Map<Integer, Long> counts) {

    /** The requester has seen nothing before. */
    static final Looks FIRST = new Looks(Map.of());

    /** 15 digits, which a double of the page holds exactly. Possessive, or each number would take more of the stack. */
    private static final Pattern QUERY = Pattern.compile("\\?since=(\\d{1,9}:\\d{1,15}(?:,\\d{1,9}:\\d{1,15})*+)");

    /** Understands the query of a request; null if it is none of these. */
    static Looks parse(String query) {
        if (query.isEmpty()) {
            return FIRST;
        }
        Matcher matcher = QUERY.matcher(query);
        if (!matcher.matches()) {
            return null;
        }
        Map<Integer, Long> counts = new HashMap<>();
        for (String each : matcher.group(1).split(",")) {
            int colon = each.indexOf(':');
            counts.put(Integer.valueOf(each.substring(0, colon)), Long.valueOf(each.substring(colon + 1)));
        }
        return new Looks(counts);
    }

    /** {@return the number that the requester has seen of the stage with this number} */
    long count(int stage) {
        return counts.getOrDefault(stage, 0L);
    }
}
