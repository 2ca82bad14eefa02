package dev.sluice.samples.web.protocol;

import java.math.BigInteger;

/**
 * A part of a file that a Range field asks for (RFC 9110 section 14).
 *
 * @param offset of the first octet
 * @param length in octets
 */
record ByteRange(long offset, long length) {

    /** Asks for octets that the file does not have. */
    static final ByteRange UNSATISFIABLE = new ByteRange(-1, 0);

    /** {@return one range for a file of this size; null if it is invalid, or cannot be expressed} */
    static ByteRange read(String range, long size) {
        int dash = range.indexOf('-');
        long first = number(range, 0, dash);
        long last = number(range, dash + 1, range.length());
        if (dash < 0 || dash > 0 && first < 0 || dash + 1 < range.length() && last < 0 || range.length() == 1) {
            return null;
        }
        if (dash == 0) {
            // Section 14.1.2: all of a file that is shorter. Of an empty one, Content-Range could not even express it.
            long length = Math.min(last, size);
            return last == 0 ? UNSATISFIABLE : length == 0 ? null : new ByteRange(size - length, length);
        }
        if (last >= 0 && (last < first || first == Long.MAX_VALUE && isBackwards(range, dash))) {
            return null;
        }
        if (first >= size) {
            return UNSATISFIABLE;
        }
        return new ByteRange(first, last < 0 || last >= size ? size - first : last - first + 1);
    }

    /** Compares numbers of any size: one that goes backwards is invalid, also beyond all files. */
    private static boolean isBackwards(String range, int dash) {
        return new BigInteger(range.substring(dash + 1)).compareTo(new BigInteger(range.substring(0, dash))) < 0;
    }

    private long end() {
        return offset + length;
    }

    boolean overlaps(ByteRange other) {
        return offset < other.end() && other.offset < end();
    }

    /** {@return the smallest range that has both in it} */
    ByteRange with(ByteRange other) {
        long from = Math.min(offset, other.offset);
        return new ByteRange(from, Math.max(end(), other.end()) - from);
    }

    /** The number, at most {@link Long#MAX_VALUE}, or -1. */
    private static long number(String text, int from, int to) {
        long number = from < to ? 0 : -1;
        for (int at = from; at < to; at++) {
            int digit = text.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : 10 * number + digit;
        }
        return number;
    }
}
