package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {

    private static final long EXAMPLE = 784_111_777;
    private static final long NOW = 1_700_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Sun Nov 06 08:49:37 1994"})
    void theThreeFormsOfTheRfc(String text) {
        assertEquals(EXAMPLE, HttpDate.parse(text, NOW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT"})
    void noDates(String text) {
        assertEquals(HttpDate.NONE, HttpDate.parse(text, NOW));
    }

    @ParameterizedTest
    @CsvSource({"73,2073", "74,1974", "99,1999", "00,2000"})
    void twoDigitsOfAYear(String digits, String year) {
        assertEquals(HttpDate.parse("Mon, 01 Jan " + year + " 00:00:00 GMT", NOW),
                HttpDate.parse("Monday, 01-Jan-" + digits + " 00:00:00 GMT", NOW));
    }

    /** A file system may keep times that a date of HTTP cannot express. */
    @ParameterizedTest
    @CsvSource({"253402300799,31 Dec 9999 23:59:59", "253402300800,31 Dec 9999 23:59:59",
        "9223372036854775807,31 Dec 9999 23:59:59", "-62167219200,01 Jan 0000 00:00:00",
        "-62167219201,01 Jan 0000 00:00:00", "-9223372036854775808,01 Jan 0000 00:00:00",
        "-11644473600,01 Jan 1601 00:00:00", "10413792000,01 Jan 2300 00:00:00"})
    void yearsHaveFourDigits(long seconds, String date) {
        assertEquals(date + " GMT", new String(HttpDate.format(seconds), US_ASCII).substring("Sun, ".length()));
    }

    @Test
    void formatsAsTheJdkDoes() {
        DateTimeFormatter jdk = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);
        Random random = new Random(1123);
        for (int i = 0; i < 2_000; i++) {
            long seconds = random.nextLong(-2_000_000_000L, 9_000_000_000L);
            String text = new String(HttpDate.format(seconds), US_ASCII);
            assertEquals(Instant.ofEpochSecond(seconds).atZone(ZoneOffset.UTC).format(jdk), text);
            assertEquals(seconds, HttpDate.parse(text, NOW), text);
        }
    }
}
