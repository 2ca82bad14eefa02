package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.FuzzTarget;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Range field against files small enough to say of each octet whether it is asked for; and against the largest
 * file, where numbers meet their ends.
 */
final class HttpRanges implements FuzzTarget {

    private static final int[] SIZES = {0, 1, 10, 1000};
    private static final Pattern RANGE = Pattern.compile("(\\d+)-(\\d*)|-(\\d+)");

    @Override
    public void check(byte[] input) {
        String value = "bytes=" + new String(input, ISO_8859_1);
        for (int size : SIZES) {
            check(value, size);
        }
        List<ByteRange> ranges = ByteRanges.select(value, Long.MAX_VALUE);
        if (ranges != null) {
            for (ByteRange range : ranges) {
                assertTrue(range.offset() >= 0 && range.length() > 0
                        && range.length() <= Long.MAX_VALUE - range.offset(), () -> value + ": " + range);
            }
        }
    }

    private static void check(String value, int size) {
        List<ByteRange> ranges = ByteRanges.select(value, size);
        BitSet asked = asked(value, size);
        if (asked == null) {
            assertNull(ranges, value);
        } else if (asked.isEmpty()) {
            assertSame(ByteRanges.UNSATISFIABLE, ranges, value);
        } else {
            assertNotNull(ranges, value);
            assertTrue(ranges.size() <= ByteRanges.MAX_RANGES, value);
            BitSet got = new BitSet();
            for (ByteRange range : ranges) {
                int from = Math.toIntExact(range.offset());
                int to = from + Math.toIntExact(range.length());
                assertTrue(from < to && to <= size && got.get(from, to).isEmpty(), () -> value + ": " + range);
                got.set(from, to);
            }
            assertEquals(asked, got, value);
        }
    }

    /** The octets that are asked for, none if they are all beyond the file; null where the field is to be ignored. */
    private static BitSet asked(String value, int size) {
        BitSet asked = new BitSet();
        BigInteger end = BigInteger.valueOf(size);
        int count = 0;
        for (String part : value.substring("bytes=".length()).split(",")) {
            String range = part.trim();
            if (range.isEmpty()) {
                continue;
            }
            Matcher matcher = RANGE.matcher(range);
            if (++count > ByteRanges.MAX_RANGES || !matcher.matches()) {
                return null;
            }
            BigInteger first;
            BigInteger behind = end;
            if (matcher.group(3) != null) {
                BigInteger suffix = new BigInteger(matcher.group(3));
                if (size == 0 && suffix.signum() > 0) {
                    // Satisfiable, and yet no octet.
                    return null;
                }
                first = end.subtract(suffix.min(end));
            } else {
                first = new BigInteger(matcher.group(1));
                if (!matcher.group(2).isEmpty()) {
                    BigInteger last = new BigInteger(matcher.group(2));
                    if (last.compareTo(first) < 0) {
                        return null;
                    }
                    behind = last.add(BigInteger.ONE).min(end);
                }
            }
            if (first.compareTo(behind) < 0) {
                asked.set(first.intValueExact(), behind.intValueExact());
            }
        }
        return count == 0 ? null : asked;
    }
}
