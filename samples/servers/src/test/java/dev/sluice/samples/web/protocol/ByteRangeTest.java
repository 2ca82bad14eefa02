package dev.sluice.samples.web.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {

    @ParameterizedTest
    @CsvSource({"0-0,0,1", "0-9,0,10", "0-,0,10", "0-10,0,10", "5-7,5,3", "9-,9,1", "9-9,9,1",
        "9-99999999999999999999,9,1", "-1,9,1", "-10,0,10", "-11,0,10", "-99999999999999999999,0,10", "007-8,7,2",
        "' 5-7 ',5,3", "',5-7,,',5,3", "'0-0,99-',0,1", "'99-,-0,-2',8,2"})
    void parts(String range, long offset, long length) {
        assertEquals(List.of(new ByteRange(offset, length)), ByteRanges.select("bytes=" + range, 10));
        assertEquals(List.of(new ByteRange(offset, length)), ByteRanges.select("Bytes=" + range, 10));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"0-0,2-2;0-0 2-2", "2-2,0-0;2-2 0-0", "0-1,2-3;0-1 2-3", "-1,0-0;9-9 0-0",
        "0-3,2-5;0-5", "2-5,0-3;0-5", "0-0,5-6,0-8;0-8", "9-9,0-1,5-6,1-5;9-9 0-6", "0-1,0-1,0-1;0-1", "0-,0-,0-;0-9",
        "0-2,4-6,8-9,2-8;0-9", "8-9,0-1,20-30,-1;8-9 0-1"})
    void several(String ranges, String expected) {
        assertEquals(expected, ByteRanges.select("bytes=" + ranges, 10).stream()
                .map(range -> range.offset() + "-" + (range.offset() + range.length() - 1))
                .collect(Collectors.joining(" ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10-", "10-20", "99999999999999999999-",
        "99999999999999999998-99999999999999999999", "-0", "-000", "10-,11-,-0"})
    void notSatisfiable(String range) {
        assertSame(ByteRanges.UNSATISFIABLE, ByteRanges.select("bytes=" + range, 10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=1", "bytes=2-1",
        "bytes=--1", "bytes=1--2", "bytes=1-2-3", "bytes=+1-2", "bytes=1 -2", "bytes=0-0,x", "bytes=0-0,99-,2-1",
        "items=0-1", "bytes 0-1", "bytes=0x1-2", "bytes=1-a", "bytes=a-1", "bytes=\u0661-2",
        "bytes=99999999999999999999-99999999999999999998"})
    void theWholeFile(String value) {
        assertNull(ByteRanges.select(value, 10));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "whole", value = {"0-,416", "0-0,416", "-1,whole", "-0,416"})
    void ofAnEmptyFile(String range, String expected) {
        assertSame(expected == null ? null : ByteRanges.UNSATISFIABLE, ByteRanges.select("bytes=" + range, 0));
    }

    @Test
    void tooManyGetTheWholeFile() {
        String ranges = "bytes=" + "0-0,2-2,".repeat(ByteRanges.MAX_RANGES / 2);
        assertEquals(2, ByteRanges.select(ranges, 10).size());
        assertNull(ByteRanges.select(ranges + "4-4", 10));
        // Nor do those count for nothing that are beyond the file.
        assertNull(ByteRanges.select("bytes=0-0" + ",99-".repeat(ByteRanges.MAX_RANGES), 10));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void haveEveryOctetThatIsAskedForOnce(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            int size = 1 + random.nextInt(60);
            BitSet asked = new BitSet();
            StringBuilder value = new StringBuilder("bytes=");
            for (int i = 1 + random.nextInt(9); i > 0; i--) {
                int first = random.nextInt(size);
                int last = first + random.nextInt(12);
                asked.set(first, Math.min(last + 1, size));
                value.append(first).append('-').append(last).append(',');
            }
            BitSet got = new BitSet();
            for (ByteRange range : ByteRanges.select(value.toString(), size)) {
                int from = (int) range.offset();
                int to = from + (int) range.length();
                assertTrue(got.get(from, to).isEmpty() && from < to && to <= size, () -> value + " of " + size);
                got.set(from, to);
            }
            assertEquals(asked, got, () -> value + " of " + size);
        }
    }
}
