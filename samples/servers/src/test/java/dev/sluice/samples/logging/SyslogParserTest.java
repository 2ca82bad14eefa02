package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Depth.IN_QUICK)
class SyslogParserTest {

    private static final String HEAD = "<13>1 2003-10-11T22:14:15.003Z host app 42 ID ";

    private final SyslogParser parser = new SyslogParser();

    /** Amid octets that would be noticed if they were read. */
    private SyslogRecord parse(String text) {
        byte[] octets = text.getBytes(UTF_8);
        byte[] array = new byte[octets.length + 10];
        Arrays.fill(array, (byte) ']');
        System.arraycopy(octets, 0, array, 7, octets.length);
        return parser.parse(array, 7, octets.length);
    }

    private void assertMalformed(String reason, String text) {
        SyslogRecord record = parse(text);
        assertEquals(reason, record.reason(), text);
        assertEquals(SyslogFormat.MALFORMED, record.format(), text);
        assertEquals(-1, record.facility());
        assertEquals(-1, record.severity());
        for (SyslogField field : SyslogField.values()) {
            assertNull(record.text(field));
        }
    }

    /** Format, priority and all fields; absent ones as ~. */
    private String summary(String text) {
        SyslogRecord record = parse(text);
        assertNull(record.reason(), text);
        return record.format() + " " + record.facility() + "." + record.severity() + " "
                + Arrays.stream(SyslogField.values())
                        .map(field -> record.has(field) ? record.text(field) : "~")
                        .collect(Collectors.joining("|"));
    }

    @Test
    void everyValidPriority() {
        for (int value = 0; value <= 191; value++) {
            for (String rest : new String[] {"1 - - - - - -", "anything", ""}) {
                SyslogRecord record = parse("<" + value + ">" + rest);
                assertEquals(value / 8, record.facility());
                assertEquals(value % 8, record.severity());
                assertEquals(rest.startsWith("1") ? SyslogFormat.RFC5424 : SyslogFormat.RFC3164, record.format());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', ignoreLeadingAndTrailingWhitespace = false, value = {
        "'';no priority", "<;no priority", "<>;no priority", "<>1 - - - - - -;no priority", "13>x;no priority",
        " <13>x;no priority", "<-1>x;no priority", "<+1>x;no priority", "< 1>x;no priority", "<a>x;no priority",
        "Use the BFG!;no priority", "<192>x;priority out of range", "<999>x;priority out of range",
        "<1000>x;priority out of range", "<99999999999999999999>x;priority out of range",
        "<4294967297>x;priority out of range", "<00>x;priority with leading zero",
        "<013>1 - - - - - -;priority with leading zero", "<0191>x;priority with leading zero",
        "<1;priority not closed", "<191;priority not closed", "<13 >x;priority not closed", "<1a>x;priority not closed",
    })
    void invalidPriority(String text, String reason) {
        assertMalformed(reason, text);
    }

    @Test
    void rfc5424Examples() {
        assertEquals("RFC5424 4.2 2003-10-11T22:14:15.003Z|mymachine.example.com|su|~|ID47|~"
                        + "|'su root' failed for lonvick on /dev/pts/8",
                summary("<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \uFEFF'su root' failed for "
                        + "lonvick on /dev/pts/8"));
        assertEquals("RFC5424 20.5 2003-08-24T05:14:15.000003-07:00|192.0.2.1|myproc|8710|~|~"
                        + "|%% It's time to make the do-nuts.",
                summary("<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time to make the "
                        + "do-nuts."));
        String element = "[exampleSDID@32473 iut=\"3\" eventSource=\"Application\" eventID=\"1011\"]";
        assertEquals("RFC5424 20.5 2003-10-11T22:14:15.003Z|mymachine.example.com|evntslog|~|ID47|" + element
                        + "|An application event log entry...",
                summary("<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 " + element
                        + " \uFEFFAn application event log entry..."));
        String elements = element + "[examplePriority@32473 class=\"high\"]";
        assertEquals("RFC5424 20.5 2003-10-11T22:14:15.003Z|mymachine.example.com|evntslog|~|ID47|" + elements + "|~",
                summary("<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 " + elements));
    }

    @Test
    void rfc3164Examples() {
        assertEquals("RFC3164 4.2 Oct 11 22:14:15|mymachine|su|~|~|~|'su root' failed for lonvick on /dev/pts/8",
                summary("<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8"));
        assertEquals("RFC3164 1.5 Feb  5 17:32:18|10.0.0.99|~|~|~|~|Use the BFG!",
                summary("<13>Feb  5 17:32:18 10.0.0.99 Use the BFG!"));
        assertEquals("RFC3164 20.5 Aug 24 05:34:00|CST|~|~|~|~|1987 mymachine myproc[10]: %% It's time",
                summary("<165>Aug 24 05:34:00 CST 1987 mymachine myproc[10]: %% It's time"));
        assertEquals("RFC3164 0.0 ~|~|~|~|~|~|1990 Oct 22 10:52:01 TZ-6 scapegoat.dmz.example.org 10.1.2.3 sched[0]: "
                        + "That's All Folks!",
                summary("<0>1990 Oct 22 10:52:01 TZ-6 scapegoat.dmz.example.org 10.1.2.3 sched[0]: That's All Folks!"));
    }

    @Test
    void whatUtilLinuxLoggerSends() {
        String quality = "[timeQuality tzKnown=\"1\" isSynced=\"0\"]";
        String time = "2026-11-21T09:23:31.272122+00:00";
        assertEquals("RFC5424 1.5 " + time + "|vm|app|~|~|" + quality + "|hello world",
                summary("<13>1 " + time + " vm app - - " + quality + " hello world"));
        assertEquals("RFC5424 1.5 " + time + "|vm|app|~|~|" + quality + "|",
                summary("<13>1 " + time + " vm app - - " + quality + " "));
        assertEquals("RFC5424 1.5 " + time + "|vm|app|~|~|" + quality + "|tab\tx",
                summary("<13>1 " + time + " vm app - - " + quality + " tab\tx"));
        String escaped = quality + "[ex@32473 a=\"b\\]\\\"\\\\\"]";
        assertEquals("RFC5424 1.0 " + time + "|vm|app|42|LOGIN|" + escaped + "|hello",
                summary("<8>1 " + time + " vm app 42 LOGIN " + escaped + " hello"));
        assertEquals("RFC5424 1.5 ~|~|app|~|~|~|hello world", summary("<13>1 - - app - - - hello world"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|app|~|~|~|hello world",
                summary("<13>Nov 21 09:23:31 vm app: hello world"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|app|42|~|~|hello world",
                summary("<13>Nov 21 09:23:31 vm app[42]: hello world"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|app|~|~|~|", summary("<13>Nov 21 09:23:31 vm app: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "2003-10-11T22:14:15Z", "2003-10-11T22:14:15.1Z", "2003-10-11T22:14:15.123456Z", "2003-10-11T00:00:00+00:00",
        "2003-10-11T23:59:59.999999-23:59", "2004-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "0000-12-31T00:00:00Z",
    })
    void timestamps(String timestamp) {
        assertEquals(timestamp, parse("<13>1 " + timestamp + " - - - - -").text(SyslogField.TIMESTAMP));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "x", "--", "2003-10-11", "2003-10-11T22:14:15", "2003-10-11t22:14:15Z", "2003-10-11T22:14:15z",
        "2003-10-11T22:14:60Z", "2003-10-11T22:60:15Z", "2003-10-11T24:14:15Z", "2003-13-11T22:14:15Z",
        "2003-00-11T22:14:15Z", "2003-10-00T22:14:15Z", "2003-10-32T22:14:15Z", "2003-04-31T22:14:15Z",
        "2003-02-29T22:14:15Z", "1900-02-29T22:14:15Z", "2003-10-11T22:14:15.Z", "2003-10-11T22:14:15.1234567Z",
        "2003-10-11T22:14:15.003", "2003-10-11T22:14:15+0000", "2003-10-11T22:14:15+24:00", "2003-10-11T22:14:15+00:60",
        "2003-10-11T22:14:15ZZ", "2003-1-11T22:14:15.0Z", "a003-10-11T22:14:15Z", "2003-10-11T22-14-15Z",
        "2003/10/11T22:14:15Z", "2003-10-11T22:14:15,5Z", "2003-10-11T22:14:15*00:00", "-2003-10-11T22:14:15Z",
    })
    void invalidTimestamps(String timestamp) {
        assertMalformed("timestamp invalid at octet 6", "<13>1 " + timestamp + " - - - - -");
    }

    @Test
    void headerFieldsHaveLengthLimits() {
        int[] limits = {255, 48, 128, 32};
        String[] labels = {"host name", "application name", "process id", "message id"};
        SyslogField[] fields = {SyslogField.HOST, SyslogField.APP, SyslogField.PROCID, SyslogField.MSGID};
        for (int i = 0; i < limits.length; i++) {
            String before = "<13>1 - " + "- ".repeat(i);
            String after = " -".repeat(limits.length - i);
            String longest = "~".repeat(limits[i]);
            assertEquals(longest, parse(before + longest + after).text(fields[i]));
            assertMalformed(labels[i] + " too long at octet " + before.length(), before + longest + "!" + after);
            assertMalformed(labels[i] + " missing at octet " + before.length(), before + after);
            assertMalformed(labels[i] + " has an illegal character at octet " + (before.length() + 1),
                    before + "x\u00e4" + after);
            assertMalformed(labels[i] + " has an illegal character at octet " + (before.length() + 1),
                    before + "x\u007f" + after);
            assertMalformed(labels[i] + " has an illegal character at octet " + before.length(), before + "\t" + after);
        }
        assertMalformed("timestamp too long at octet 6", "<13>1 " + "2".repeat(33) + " - - - - -");
    }

    @Test
    void headerCutAnywhereIsMalformed() {
        String whole = HEAD + "[a b=\"c\"]";
        for (int length = 5; length < whole.length(); length++) {
            assertEquals(SyslogFormat.MALFORMED, parse(whole.substring(0, length)).format(), "length " + length);
        }
        assertEquals(SyslogFormat.RFC5424, parse(whole).format());
        assertMalformed("timestamp missing at octet 5", "<13>1");
        assertMalformed("timestamp missing at octet 6", "<13>1 ");
        assertMalformed("timestamp missing at octet 6", "<13>1  - - - - -");
        assertMalformed("host name missing at octet 7", "<13>1 -");
        assertMalformed("structured data missing at octet 15", "<13>1 - - - - -");
        assertMalformed("structured data missing at octet 16", "<13>1 - - - - - ");
    }

    @Test
    void onlyVersionOneIsRfc5424() {
        assertEquals("RFC3164 1.5 ~|~|~|~|~|~|2 - - - - - -", summary("<13>2 - - - - - -"));
        assertEquals("RFC3164 1.5 ~|~|~|~|~|~|10 - - - - - -", summary("<13>10 - - - - - -"));
        assertEquals("RFC3164 1.5 ~|~|~|~|~|~|1st", summary("<13>1st"));
        assertEquals("RFC3164 1.5 ~|~|~|~|~|~|01 - - - - - -", summary("<13>01 - - - - - -"));
        assertMalformed("timestamp invalid at octet 6", "<13>1 bottle of beer");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "[a]", "[a][b]", "[a b=\"\"]", "[a b=\"c\" d=\"e\"]", "[a b=\"c\" b=\"d\"]", "[a b=\"\\\"\\]\\\\\"]",
        "[a b=\"\\n\\\\\\]\"]", "[a b=\"[ = \u00e4\u20ac\n\"]", "[a@32473 b=\" \"][x y=\"z\"]",
        "[abcdefghijklmnopqrstuvwxyz123456 abcdefghijklmnopqrstuvwxyz123456=\"x\"]", "[[ [=\"\"]", "[\\ \\=\"\"]",
    })
    void structuredData(String data) {
        assertEquals(data, parse(HEAD + data).text(SyslogField.STRUCTURED_DATA));
        SyslogRecord record = parse(HEAD + data + " [not data]");
        assertEquals(data, record.text(SyslogField.STRUCTURED_DATA));
        assertEquals("[not data]", record.text(SyslogField.MESSAGE));
        for (int length = 1; length < data.length(); length++) {
            String cut = data.substring(0, length);
            boolean betweenElements = cut.endsWith("]") && data.charAt(length) == '[';
            if (!betweenElements) {
                assertMalformed("structured data not closed at octet " + (HEAD + cut).getBytes(UTF_8).length,
                        HEAD + cut);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "x;missing;0", "[];has an illegal character;1", "[ a];has an illegal character;1",
        "[a ];has an illegal character;3",
        "[a  b=\"c\"];has an illegal character;3", "[a b];has an illegal character;4",
        "[a b=c];has an illegal character;5",
        "[a=\"b\"];has an illegal character;2", "[a b=\"c\"d=\"e\"];has an illegal character;8",
        "[a =\"c\"];has an illegal character;3", "[a\tb=\"c\"];has an illegal character;2",
        "[\u00e4];has an illegal character;1",
        "[a b=\"]\"];has an unescaped ];6", "[a b=\"\\\\]\"];has an unescaped ];8",
        "[a]x;not followed by a space;3", "[a]-;not followed by a space;3", "-x;not followed by a space;1",
        "--;not followed by a space;1", "-[a];not followed by a space;1", "[a b=\"\\\"];has an unescaped ];8",
        "[a b=\"\\\";not closed;8",
        "[abcdefghijklmnopqrstuvwxyz1234567];name too long;1",
        "[a abcdefghijklmnopqrstuvwxyz1234567=\"\"];name too long;3",
    })
    void invalidStructuredData(String data, String complaint, int at) {
        assertMalformed("structured data " + complaint + " at octet " + (HEAD.length() + at), HEAD + data);
    }

    @Test
    void messages() {
        assertNull(parse(HEAD + "-").text(SyslogField.MESSAGE));
        assertEquals("", parse(HEAD + "- ").text(SyslogField.MESSAGE));
        assertEquals(" ", parse(HEAD + "-  ").text(SyslogField.MESSAGE));
        assertEquals("", parse(HEAD + "- \uFEFF").text(SyslogField.MESSAGE));
        assertEquals("\uFEFFx", parse(HEAD + "- \uFEFF\uFEFFx").text(SyslogField.MESSAGE));
        assertEquals("x\uFEFF", parse(HEAD + "- x\uFEFF").text(SyslogField.MESSAGE));
        assertEquals("a\n\0\u20ac", parse(HEAD + "- a\n\0\u20ac").text(SyslogField.MESSAGE));
        byte[] latin = (HEAD + "- \u00ef\u00bb").getBytes(ISO_8859_1);
        SyslogRecord record = parser.parse(latin, 0, latin.length);
        assertEquals(HEAD.length() + 2, record.start(SyslogField.MESSAGE));
        assertEquals(2, record.length(SyslogField.MESSAGE));
    }

    @Test
    void rfc3164IsReadAsFarAsItCanBe() {
        assertEquals("RFC3164 1.5 ~|~|~|~|~|~|", summary("<13>"));
        assertEquals("RFC3164 1.5 ~|~|~|~|~|~|app: no time", summary("<13>app: no time"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|~|~|~|~|~|", summary("<13>Nov 21 09:23:31"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|~|~|~|~|~|", summary("<13>Nov 21 09:23:31 "));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|~|~|~|~|~|hello", summary("<13>Nov 21 09:23:31 hello"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|~|~|~|~|", summary("<13>Nov 21 09:23:31 vm "));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|~|app|~|~|~|local", summary("<13>Nov 21 09:23:31 app: local"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|~|app|7|~|~|local", summary("<13>Nov 21 09:23:31 app[7]: local"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|fe80::1|systemd-logind|7|~|~|x",
                summary("<13>Nov 21 09:23:31 fe80::1 systemd-logind[7]: x"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|postfix/smtpd|7|~|~|x",
                summary("<13>Nov 21 09:23:31 vm postfix/smtpd[7] x"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|app|~|~|~|x", summary("<13>Nov 21 09:23:31 vm app:x"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|~|~|~|~|app[]: x", summary("<13>Nov 21 09:23:31 vm app[]: x"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|~|~|~|~|app[7", summary("<13>Nov 21 09:23:31 vm app[7"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|~|~|~|~|: x", summary("<13>Nov 21 09:23:31 vm : x"));
        assertEquals("RFC3164 1.5 ~|~|~|~|~|~|Nov 21 09:23:31: vm x", summary("<13>Nov 21 09:23:31: vm x"));
        assertEquals("RFC3164 1.5 2026-11-21T09:23:31+00:00|vm|app|~|~|~|x",
                summary("<13>2026-11-21T09:23:31+00:00 vm app: x"));
        String tag = "t".repeat(48);
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|" + tag + "|~|~|~|x",
                summary("<13>Nov 21 09:23:31 vm " + tag + ": x"));
        assertEquals("RFC3164 1.5 Nov 21 09:23:31|vm|~|~|~|~|t" + tag + ": x",
                summary("<13>Nov 21 09:23:31 vm t" + tag + ": x"));
    }

    @ParameterizedTest
    @CsvSource({
        "Jan  1 00:00:00, true", "Dec 31 23:59:59, true", "Nov 01 00:00:00, true", "Nov  0 00:00:00, false",
        "Nov 32 00:00:00, false", "nov 21 00:00:00, false", "Nov 21 24:00:00, false", "Nov 21 00:60:00, false",
        "Nov 21 00:00:60, false", "Nov 21 0:00:00 , false", "Nov 1 00:00:00, false", "aNo 21 00:00:00, false",
        "Nov-21 00:00:00, false", "Nov 21-00:00:00, false", "Nov 2x 00:00:00, false",
    })
    void rfc3164Timestamps(String timestamp, boolean recognised) {
        assertEquals(recognised ? timestamp : null, parse("<13>" + timestamp + " vm x").text(SyslogField.TIMESTAMP));
    }

    @Test
    void resultIsReusedAndForgetsTheRecordBefore() {
        SyslogRecord first = parse(HEAD + "[a] message");
        assertMalformed("no priority", "x");
        assertSame(first, parse("<13>x"));
        assertEquals("RFC3164 1.5 ~|~|~|~|~|~|x", summary("<13>x"));
        assertMalformed("structured data not closed at octet 48", HEAD + "[a");
        assertEquals("RFC5424 1.5 ~|~|~|~|~|~|~", summary("<13>1 - - - - - -"));
    }

    @Test
    void rangeOutsideTheArrayIsRefused() {
        assertThrows(IndexOutOfBoundsException.class, () -> parser.parse(new byte[3], 1, 3));
    }

    @ParameterizedTest
    @ValueSource(longs = {5424, 3164})
    void damagedRecordsNeitherBreakTheParserNorYieldFieldsOutsideThem(long seed, TestReporter reporter) {
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        String[] samples = {
            HEAD + "[a b=\"c\\]\"][d e=\"f\"] \uFEFFmessage", "<13>Nov 21 09:23:31 vm app[42]: hello",
            "<0>1 - - - - - -",
        };
        byte[] alphabet = "<>1[]\"\\= -:\n09".getBytes(UTF_8);
        int wellFormed = 0;
        for (int round = 0; round < 50_000; round++) {
            byte[] octets = samples[random.nextInt(samples.length)].getBytes(UTF_8);
            for (int i = random.nextInt(4); i > 0; i--) {
                octets[random.nextInt(octets.length)] = alphabet[random.nextInt(alphabet.length)];
            }
            int offset = random.nextInt(3) == 0 ? random.nextInt(octets.length) : 0;
            int length = random.nextInt(3) == 0 ? random.nextInt(octets.length - offset + 1) : octets.length - offset;
            byte[] exact = Arrays.copyOfRange(octets, offset, offset + length);
            SyslogRecord record = parser.parse(exact, 0, length);
            SyslogFormat format = record.format();
            String reason = record.reason();
            int previousEnd = 0;
            for (SyslogField field : SyslogField.values()) {
                if (record.has(field)) {
                    assertTrue(record.start(field) >= previousEnd, "seed " + seed + " round " + round);
                    previousEnd = record.start(field) + record.length(field);
                    assertTrue(previousEnd <= length, "seed " + seed + " round " + round);
                }
            }
            assertEquals(format == SyslogFormat.MALFORMED, reason != null);
            wellFormed += format == SyslogFormat.MALFORMED ? 0 : 1;
            parser.parse(octets, offset, length);
            assertEquals(format, record.format(), "seed " + seed + " round " + round);
            assertEquals(reason, record.reason(), "seed " + seed + " round " + round);
        }
        assertTrue(wellFormed > 5_000 && wellFormed < 45_000, "well-formed: " + wellFormed);
    }
}
