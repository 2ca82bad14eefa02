package dev.sluice.samples.web.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a file that a Range field asks for (RFC 9110 section 14.2), in the order to send them.
 *
 * <p>No octet is in two of them: ranges that overlap become one, so that all together are never more than the file, and
 * what a client can make of a short field is bounded by the number of parts.
 */
final class ByteRanges {

    /**
     * The maximum number of ranges in one request; a request for more gets the whole file, which section 14.2 allows.
     */
    static final int MAX_RANGES = 64;

    /** The answer to ranges that are all beyond the file. */
    static final List<ByteRange> UNSATISFIABLE = List.of();

    private static final String UNIT = "bytes=";

    private ByteRanges() {
    }

    /**
     * Reads the field's value for a file of this size. Null where the whole file is the answer: the value is invalid,
     * of another unit, or has more than {@value #MAX_RANGES} ranges.
     */
    static List<ByteRange> select(String value, long size) {
        if (!value.regionMatches(true, 0, UNIT, 0, UNIT.length())) {
            return null;
        }
        List<ByteRange> ranges = new ArrayList<>();
        int count = 0;
        for (int at = UNIT.length(); at <= value.length();) {
            int comma = value.indexOf(',', at);
            int end = comma < 0 ? value.length() : comma;
            String text = value.substring(at, end).trim();
            at = end + 1;
            if (text.isEmpty()) {
                continue;
            }
            ByteRange range = ++count > MAX_RANGES ? null : ByteRange.read(text, size);
            if (range == null) {
                return null;
            }
            if (range != ByteRange.UNSATISFIABLE) {
                add(ranges, range);
            }
        }
        return count == 0 ? null : ranges.isEmpty() ? UNSATISFIABLE : ranges;
    }

    /** What overlaps the range joins it, at the place of the first of them (section 15.3.7.2). */
    private static void add(List<ByteRange> ranges, ByteRange range) {
        ByteRange joined = range;
        int place = ranges.size();
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).overlaps(joined)) {
                joined = joined.with(ranges.remove(i));
                place = Math.min(place, i);
                // It is longer now, and may overlap those before.
                i = -1;
            }
        }
        ranges.add(Math.min(place, ranges.size()), joined);
    }
}
