package dev.sluice.samples.oltp.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.oltp.resp.RequestParser.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestParserTest {

    private static final Limits SMALL = new Limits(4, 12);

    /** Requests of all kinds, one behind the other. */
    private static final String STREAM = "*1\r\n$4\r\nPING\r\n" + "*3\r\n$1\r\na\r\n$0\r\n\r\n$4\r\n\r\n*1\r\n"
            + "*0\r\n*-1\r\n\r\n\n" + "PING\r\n" + "  get\t it \r\n" + "x\n" + "*1\r\n$3\r\n\0\u00ff\n\r\n";
    private static final List<List<String>> REQUESTS = List.of(List.of("PING"), List.of("a", "", "\r\n*1"),
            List.of("PING"), List.of("get", "it"), List.of("x"), List.of("\0\u00ff\n"));

    private static ByteBuffer octets(String text) {
        return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
    }

    private static List<String> arguments(Request request) {
        return IntStream.range(0, request.count()).mapToObj(i -> {
            ReplyBuffer copy = new ReplyBuffer();
            request.copyTo(i, copy);
            String bulk = ISO_8859_1.decode(copy.pending()).toString();
            return bulk.substring(bulk.indexOf('\n') + 1, bulk.length() - 2);
        }).toList();
    }

    private static void parse(RequestParser parser, String portion, List<List<String>> requests) {
        ByteBuffer in = octets(portion);
        while (parser.parse(in) == Outcome.COMPLETE) {
            requests.add(arguments(parser.request()));
        }
        assertFalse(in.hasRemaining());
    }

    @Test
    void findsRequestsWhereverTheStreamIsSplit() {
        for (int first = 0; first <= STREAM.length(); first++) {
            for (int second = first; second <= STREAM.length(); second++) {
                RequestParser parser = new RequestParser(Limits.DEFAULT);
                List<List<String>> requests = new ArrayList<>();
                parse(parser, STREAM.substring(0, first), requests);
                parse(parser, STREAM.substring(first, second), requests);
                parse(parser, STREAM.substring(second), requests);
                assertEquals(REQUESTS, requests);
            }
        }
    }

    @Test
    void findsRequestsOctetByOctet() {
        RequestParser parser = new RequestParser(Limits.DEFAULT);
        List<List<String>> requests = new ArrayList<>();
        STREAM.chars().forEach(octet -> parse(parser, String.valueOf((char) octet), requests));
        assertEquals(REQUESTS, requests);
    }

    @Test
    void leavesWhatFollows() {
        ByteBuffer in = octets("a\r\nb\r\n");
        assertEquals(Outcome.COMPLETE, new RequestParser(Limits.DEFAULT).parse(in));
        assertEquals(3, in.remaining());
    }

    @ParameterizedTest
    @CsvSource({
        "*x\\r\\n, invalid multibulk length", "*\\r\\n, invalid multibulk length", "*1x, invalid multibulk length",
        "*1\\n, invalid multibulk length", "*1\\r1, invalid multibulk length", "*--1, invalid multibulk length",
        "*9999999999, invalid multibulk length", "*5\\r\\n, invalid multibulk length",
        "*1\\r\\nPING, 'expected ''$'', got ''P'''", "*1\\r\\n\\r\\n, 'expected ''$'', got ''?'''",
        "*1\\r\\n$-1\\r\\n, invalid bulk length", "*1\\r\\n$x, invalid bulk length",
        "*1\\r\\n$13\\r\\n, invalid bulk length", "*2\\r\\n$12\\r\\n123456789012\\r\\n$1\\r\\n, invalid bulk length",
        "*1\\r\\n$1\\r\\nab, bulk string without its end", "*1\\r\\n$1\\r\\na\\rb, bulk string without its end",
        "1234567890123, too big inline request", "a b c d e\\r\\n, too many arguments",
        "\\0\\r\\n, control character in inline request"})
    void complainsOfWhatIsNoRequest(String escaped, String complaint) {
        String text = escaped.translateEscapes();
        for (int split = 0; split <= text.length(); split++) {
            RequestParser parser = new RequestParser(SMALL);
            ByteBuffer rest = octets(text.substring(split));
            Outcome first = parser.parse(octets(text.substring(0, split)));
            assertEquals(Outcome.MALFORMED, parser.parse(rest), text);
            assertEquals(complaint, parser.complaint());
            assertTrue(first != Outcome.COMPLETE);
            // There is no way back.
            assertEquals(Outcome.MALFORMED, parser.parse(octets("PING\r\n")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*4\r\n$3\r\nabc\r\n$3\r\nabc\r\n$3\r\nabc\r\n$3\r\nabc\r\n", "123456789012\r\n",
        "a b c d\r\n"})
    void takesWhatIsJustSmallEnough(String text) {
        assertEquals(Outcome.COMPLETE, new RequestParser(SMALL).parse(octets(text)));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0", "-0, 0", "000000000012, 12", "-5, -5", "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, -9223372036854775808"})
    void readsNumbers(String text, long number) {
        Request request = requestOf(text);
        assertTrue(request.isNumber(1));
        assertEquals(number, request.number(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "1.", "+1", "1x", "9223372036854775808", "-9223372036854775809",
        "99999999999999999999", "--1"})
    void knowsWhatIsNoNumber(String text) {
        assertFalse(requestOf(text).isNumber(1));
    }

    private static Request requestOf(String argument) {
        RequestParser parser = new RequestParser(Limits.DEFAULT);
        assertEquals(Outcome.COMPLETE, parser.parse(octets("x " + argument + "\r\n")));
        return parser.request();
    }

    @Test
    void comparesWithoutRegardToCase() {
        Request request = requestOf("dEp");
        assertTrue(request.is(1, "DEP"));
        assertFalse(request.is(1, "DEPO"));
        assertFalse(request.is(1, "DE"));
        assertFalse(request.is(1, "DEQ"));
    }

    @Test
    void knowsWords() {
        assertTrue(requestOf("abc-1~!").isWord(1, 7));
        assertFalse(requestOf("abc-1~!").isWord(1, 6));
        assertFalse(requestOf("b\u00fc").isWord(1, 6));
    }
}
