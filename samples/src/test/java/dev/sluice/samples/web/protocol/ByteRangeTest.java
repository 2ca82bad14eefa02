package dev.sluice.samples.web.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {

    @ParameterizedTest
    @CsvSource({"0-0,0,1", "0-9,0,10", "0-,0,10", "0-10,0,10", "5-7,5,3", "9-,9,1", "9-9,9,1",
        "9-99999999999999999999,9,1", "-1,9,1", "-10,0,10", "-11,0,10", "-99999999999999999999,0,10", "007-8,7,2",
        "' 5-7 ',5,3", "',5-7,,',5,3"})
    void parts(String range, long offset, long length) {
        assertEquals(new ByteRange(offset, length), ByteRange.select("bytes=" + range, 10));
        assertEquals(new ByteRange(offset, length), ByteRange.select("Bytes=" + range, 10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10-", "10-20", "99999999999999999999-", "-0", "-000"})
    void notSatisfiable(String range) {
        assertSame(ByteRange.UNSATISFIABLE, ByteRange.select("bytes=" + range, 10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=1", "bytes=2-1",
        "bytes=--1", "bytes=1--2", "bytes=1-2-3", "bytes=+1-2", "bytes=1 -2", "bytes=0-0,2-2", "bytes=0-0,99-",
        "items=0-1", "bytes 0-1", "bytes=0x1-2", "bytes=1-a", "bytes=a-1", "bytes=\u0661-2"})
    void theWholeFile(String value) {
        assertNull(ByteRange.select(value, 10));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "whole", value = {"0-,416", "0-0,416", "-1,whole", "-0,416"})
    void ofAnEmptyFile(String range, String expected) {
        assertSame(expected == null ? null : ByteRange.UNSATISFIABLE, ByteRange.select("bytes=" + range, 0));
    }
}
