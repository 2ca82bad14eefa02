package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.ContentCoding;
import java.util.Arrays;

/** The weights of content codings in the field Accept-Encoding (RFC 9110 section 12.5.3). */
final class AcceptEncoding {

    private static final int ABSENT = -1;
    private static final int MAX_WEIGHT = 1000;

    private final int[] weights = new int[ContentCoding.values().length];
    private int identity = ABSENT;
    private int others = ABSENT;

    private AcceptEncoding() {
        Arrays.fill(weights, ABSENT);
    }

    /** Reads the field's value. Null if it is invalid, and so tells nothing. */
    static AcceptEncoding read(String value) {
        AcceptEncoding read = new AcceptEncoding();
        for (String member : value.split(",")) {
            String text = member.trim();
            int semicolon = text.indexOf(';');
            String coding = semicolon < 0 ? text : text.substring(0, semicolon).trim();
            int weight = semicolon < 0 ? MAX_WEIGHT : weight(text.substring(semicolon + 1).trim());
            if (weight < 0) {
                return null;
            }
            read.set(coding, weight);
        }
        return read;
    }

    private void set(String coding, int weight) {
        if (coding.equals("*")) {
            others = weight;
        } else if (coding.equalsIgnoreCase("identity")) {
            identity = weight;
        } else {
            for (ContentCoding each : ContentCoding.values()) {
                // Section 8.4.1.3: a recipient should take the old name for the same.
                if (coding.equalsIgnoreCase(each.token()) || coding.equalsIgnoreCase("x-" + each.token())) {
                    weights[each.ordinal()] = weight;
                }
            }
        }
    }

    /** {@code q=0.123} in thousandths (section 12.4.2), or -1. */
    private static int weight(String parameter) {
        if (!parameter.regionMatches(true, 0, "q=", 0, 2) || parameter.length() < 3 || parameter.length() > 7) {
            return -1;
        }
        int weight = 0;
        int unit = MAX_WEIGHT;
        for (int at = 2; at < parameter.length(); at++) {
            char c = parameter.charAt(at);
            if (at == 3 ? c != '.' : c < '0' || c > '9') {
                return -1;
            }
            if (at != 3) {
                weight += (c - '0') * unit;
                unit /= 10;
            }
        }
        return weight <= MAX_WEIGHT ? weight : -1;
    }

    /** {@return how welcome a coding is, in thousandths; 0 if it must not be sent} */
    int weight(ContentCoding coding) {
        int weight = weights[coding.ordinal()];
        return weight != ABSENT ? weight : Math.max(others, 0);
    }

    /** {@return a number that is the same for all in which the codings and the plain content have the same order} */
    int preference() {
        int plain = plainWeight();
        int preference = plain > 0 ? 1 : 0;
        for (ContentCoding one : ContentCoding.values()) {
            int weight = weight(one);
            preference = 6 * preference + 3 * (weight > 0 ? 1 : 0) + Integer.signum(Integer.compare(weight, plain)) + 1;
            for (ContentCoding other : ContentCoding.values()) {
                preference = 3 * preference + Integer.signum(Integer.compare(weight, weight(other))) + 1;
            }
        }
        return preference;
    }

    /** {@return how welcome the plain content is: hardly, but acceptable, if nothing is said of it} */
    int plainWeight() {
        return identity != ABSENT ? identity : others == 0 ? 0 : 1;
    }
}
