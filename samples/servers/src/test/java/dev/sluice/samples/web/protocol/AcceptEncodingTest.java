package dev.sluice.samples.web.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.samples.web.files.ContentCoding;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptEncodingTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"gzip|1000|0|1", "'br, gzip'|1000|1000|1", "gzip;q=0.5|500|0|1",
        "gzip ; q=0.123, br;Q=1.000|123|1000|1", "*|1000|1000|1", "*;q=0|0|0|0", "*;q=0, gzip|1000|0|0",
        "*;q=0, identity;q=0.1|0|0|100", "identity;q=0|0|0|0", "identity|0|0|1000", "X-GZip|1000|0|1",
        "''|0|0|1", "deflate, zstd;q=0.9|0|0|1", "',,gzip,,'|1000|0|1", "gzip;q=0|0|0|1", "gzip;q=0., br;q=1.|0|1000|1",
        "gzip;q=0.2,*;q=0.7|200|700|1"})
    void weights(String value, int gzip, int br, int plain) {
        AcceptEncoding read = AcceptEncoding.read(value);
        assertEquals(gzip, read.weight(ContentCoding.GZIP));
        assertEquals(br, read.weight(ContentCoding.BR));
        assertEquals(plain, read.plainWeight());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip;q", "gzip;q=", "gzip;q=2", "gzip;q=1.001", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=.5",
        "gzip;q=0,5;", "gzip;level=9", "gzip;q=0.5;q=1", "gzip;q=00", "gzip;q=a", "gzip;q=\u0661"})
    void whatIsInvalidTellsNothing(String value) {
        assertNull(AcceptEncoding.read(value));
    }
}
