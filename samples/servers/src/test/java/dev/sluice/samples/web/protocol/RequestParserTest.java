package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.samples.Patience;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequestParserTest {

    private static final Limits LIMITS = new Limits(40, 120, 5, 30);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n";

    private static Arguments stream(String octets, String... events) {
        return Arguments.of(octets, List.of(events));
    }

    private static Stream<Arguments> streams() {
        return Stream.of(
                stream(""),
                stream("GET / HTTP/1.1\r\nHost: a\r\n"),
                stream(GET + "\r\n", "GET / 1.1"),
                stream("\r\n" + GET + "\r\n", "GET / 1.1"),
                stream("\r\n\r\n", "400"),
                stream(GET + "\r\n" + "HEAD /b?c HTTP/1.1\r\nhOST:\tb:80 \t\r\n\r\n", "GET / 1.1", "HEAD /b?c 1.1"),
                stream(GET + "Connection: x, CLOSE\r\n\r\n" + GET + "\r\n", "GET / 1.1 close"),
                stream("GET /a HTTP/1.0\r\n\r\n" + GET, "GET /a 1.0 close"),
                stream("GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n" + GET + "\r\n", "GET /a 1.0", "GET / 1.1"),
                stream("GET / HTTP/1.7\r\nHost:\r\n\r\n", "GET / 1.1"),
                stream("GET http://b/c?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET /c?d 1.1"),
                stream("GET HTTP://b:8 HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1"),
                stream("GET http://b?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?d 1.1"),
                stream("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + GET + "\r\n",
                        "POST * 1.1", "GET / 1.1"),
                stream("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
                        "OPTIONS * 1.1", "CONNECT * 1.1"),
                stream("get / HTTP/1.1\r\nHost: a\r\n\r\n", "UNKNOWN * 1.1"),
                stream(GET + "Content-Length: 30\r\n\r\n" + "x".repeat(30) + GET + "\r\n", "GET / 1.1", "GET / 1.1"),
                stream(GET + "Content-Length: 31\r\n\r\n" + "x".repeat(31), "413"),
                stream(GET + "Content-Length: 99999999999999999999\r\n\r\n", "413"),
                stream(GET + "Content-Length: 000\r\n\r\n" + GET + "\r\n", "GET / 1.1", "GET / 1.1"),
                stream(GET + "Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + GET + "\r\n",
                        "GET / 1.1", "GET / 1.1"),
                stream(GET + "Transfer-Encoding: chunked\r\n\r\n00A \t;x=\"y\r\n0123456789\r\n0\r\n\r\n", "GET / 1.1"),
                stream(GET + "Transfer-Encoding: chunked\r\n\r\n1 ;x=y\r\n0\r\n0\r\na:b\r\n\r\n" + GET + "\r\n",
                        "GET / 1.1", "GET / 1.1"),
                stream(GET + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n", "413"),
                stream(GET + "Transfer-Encoding: chunked\r\n\r\n" + "1\r\nx\r\n".repeat(6), "413"),
                stream(GET + "Expect: 100-Continue\r\nContent-Length: 1\r\n\r\nx" + GET + "\r\n",
                        "100", "GET / 1.1", "GET / 1.1"),
                stream(GET + "Expect: 100-continue\r\n\r\n", "GET / 1.1"),
                stream("GET / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", "GET / 1.0 close"),
                stream("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\nGET / HTTP",
                        "PUT * 1.1 close"),

                stream("GET /" + "x".repeat(26) + " HTTP/1.1\r\nHost: a\r\n\r\n", "GET /" + "x".repeat(26) + " 1.1"),
                stream("GET /" + "x".repeat(27) + " HTTP/1.1\r\nHost: a\r\n\r\n", "414"),
                stream("x".repeat(41), "501"),
                stream(GET + "a: " + "b".repeat(96), new String[0]),
                stream(GET + "a: " + "b".repeat(97), "431"),
                stream(GET + "a:\r\n".repeat(4) + "\r\n", "GET / 1.1"),
                stream(GET + "a:\r\n".repeat(5) + "\r\n", "431"));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void inOneChunk(String octets, List<String> events) {
        assertEquals(events, ParserEvents.of(octets, LIMITS));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void octetByOctet(String octets, List<String> events) {
        assertEquals(events, ParserEvents.of(octets, LIMITS, IntStream.range(0, octets.length()).toArray()));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void cutAtAnyTwoPlaces(String octets, List<String> events) {
        for (int first = 0; first <= octets.length(); first++) {
            for (int second = first; second <= octets.length(); second++) {
                assertEquals(events, ParserEvents.of(octets, LIMITS, first, second), "cut at " + first + ", " + second);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"GET / HTTP/2.0,505", "PRI * HTTP/2.0,505", "GET / HTTP/0.9,505", "GET / http/1.1,400",
        "GET / HTTP/1.10,400", "GET / HTTP/11,400", "GET /,400", "GET,400", "GET  / HTTP/1.1,400",
        "GET /  HTTP/1.1,400", "' GET / HTTP/1.1',400", "'GET / HTTP/1.1 ',400", "GET\t/\tHTTP/1.1,400",
        "GET /a b HTTP/1.1,400", "GET /\tb HTTP/1.1,400", "GET a HTTP/1.1,400", "GET * HTTP/1.1,400",
        "GET a:80 HTTP/1.1,400", "GET https://a/ HTTP/1.1,400", "GET http:///a HTTP/1.1,400",
        "GET http://:80/a HTTP/1.1,400", "GET http://u@a/ HTTP/1.1,400", "GET http:// HTTP/1.1,400",
        "GET /#a HTTP/1.1,400", "GET /\u00e9 HTTP/1.1,400", "G(T / HTTP/1.1,400", "G\u0001T / HTTP/1.1,400"})
    void requestLines(String line, String status) {
        assertEquals(List.of(status), ParserEvents.of(line + "\r\nHost: a\r\n\r\n", Limits.DEFAULT));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"'Host: a',-", "'Host:',-", "'Host: [::1]:80',-", "'Host: a.b:',-",
        "'Host: %41',-", "'Host: a,b',-", "'X: y',400", "'Host: a\r\nHost: a',400", "'Host: a b',400",
        "'Host: a/b',400", "'Host: u@a',400", "'Host: a:b',400", "'Host: [::1',400", "'Host: [::1]a',400",
        "'Host: %4',400", "'Host: \u00e9',400", "'Host: a:1:2',400"})
    void hosts(String field, String status) {
        assertEquals(List.of(status == null ? "GET / 1.1" : status),
                ParserEvents.of("GET / HTTP/1.1\r\n" + field + "\r\n\r\n", Limits.DEFAULT));
    }

    @Test
    void saysWhetherARequestIsIncomplete() {
        RequestParser parser = new RequestParser(Limits.DEFAULT);
        assertFalse(parser.isInsideRequest());
        for (String part : List.of("\r", "\n", "G", "ET / HTTP/1.1\r\nHo", "st: a\r\nContent-Length: 2\r\n\r\n", "x")) {
            parser.parse(ByteBuffer.wrap(part.getBytes(US_ASCII)));
            assertTrue(parser.isInsideRequest(), part);
        }
        assertEquals(RequestParser.Progress.COMPLETE, parser.parse(ByteBuffer.wrap(new byte[1])));
        assertFalse(parser.isInsideRequest());
    }

    @Test
    void fieldsAreFoundWhateverTheirCase() {
        RequestParser parser = new RequestParser(Limits.DEFAULT);
        String octets = GET + "If-None-Match: \"a\"\r\nx:\r\nIF-NONE-MATCH:\"b\" \r\n\r\n";
        parser.parse(ByteBuffer.wrap(octets.getBytes(US_ASCII)));
        assertEquals("\"a\", \"b\"", parser.request().field("if-none-match"));
        assertEquals("", parser.request().field("x"));
        assertNull(parser.request().field("range"));
        assertEquals("GET / HTTP/1.1", parser.request().line());
    }

    @Test
    void parsingHardlyAllocates() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        RequestParser parser = new RequestParser(Limits.DEFAULT);
        ByteBuffer requests = ByteBuffer.allocateDirect(10_000);
        while (requests.remaining() > 100) {
            requests.put((GET + "Accept: text/html, */*\r\nContent-Length: 5\r\n\r\nhello").getBytes(US_ASCII));
        }
        requests.flip();
        long allocated = Long.MAX_VALUE;
        // How soon the compiler has its last word is its own affair, so the measurement is repeated until it has.
        long end = System.nanoTime() + Patience.LIMIT.toNanos();
        while (allocated >= 10 * 200 && System.nanoTime() - end < 0) {
            long before = threads.getCurrentThreadAllocatedBytes();
            int complete = 0;
            while (parser.parse(requests.rewind()) != RequestParser.Progress.COMPLETE || ++complete < 10) {
                assertNull(parser.refusal());
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        // The values that framing and persistence ask for are made text of: of this request, one of one character.
        assertTrue(allocated < 10 * 200, allocated + " bytes for 10 requests");
    }
}
