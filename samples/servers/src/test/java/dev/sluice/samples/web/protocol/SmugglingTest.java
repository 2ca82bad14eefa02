package dev.sluice.samples.web.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Shapes that two recipients may cut in two ways. Each is refused, and the request hidden behind it never appears. */
class SmugglingTest {

    private static final String HIDDEN = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n";

    private static final List<String> FIELDS = List.of(
            "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5, 5",
            "Content-Length: 5,6", "Content-Length: +5", "Content-Length: -5", "Content-Length: 0x5",
            "Content-Length: 5 5", "Content-Length: 5\u00a0", "Content-Length:", "Content-Length: 5.0",
            "Content-Length: 1e1", "Content-Length: \u00b2", "Content-Length : 5", "Content-Length\t: 5",
            " Content-Length: 5", "\tContent-Length: 5", "Content-Length: 5\r\n Transfer-Encoding: chunked",
            "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "Transfer-Encoding: identity",
            "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked, identity", "Transfer-Encoding: xchunked", "Transfer-Encoding: chunkedx",
            "Transfer-Encoding: \"chunked\"", "Transfer-Encoding: chunked;q=1", "Transfer-Encoding: , chunked",
            "Transfer-Encoding: chunked,", "Transfer-Encoding:", "Transfer-Encoding: gzip",
            "Transfer-Encoding:\u000bchunked", "Transfer-Encoding: \u000cchunked", "Transfer-Encoding : chunked",
            "Transfer-Encoding\t:chunked", "Transfer-Encoding\u0000: chunked", "Transfer-Encoding: chunked\u0000",
            " Transfer-Encoding: chunked", "X: y\r\n Transfer-Encoding: chunked", "X: y\r\n\tfolded", "X: y\r\n \r\n",
            "X: y\rTransfer-Encoding: chunked", "X: y\nTransfer-Encoding: chunked", "X: y\r\r\nZ: z", "X", ": y",
            "X y: z", "X: \u0000", "X: \u001b", "X: \u007f", "X\u00e9: y", "(X): y", "X[1]: y", "Host: b");

    private static final List<String> CHUNKS = List.of(
            "5\r\nhello0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n",
            " 5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n",
            "-5\r\nhello\r\n0\r\n\r\n", "g\r\n", "\r\n", ";x\r\n", "5;a\rb\r\nhello", "5;a\nhello\r\n0\r\n\r\n",
            "5\rhello", "5\r\nhellox\r\n0\r\n\r\n", "0\r\n x: y\r\n\r\n", "0\r\nx : y\r\n\r\n", "0\r\nx\r\n\r\n",
            "0\r\nx: y\n\r\n", "0\r\nx: \u0000\r\n\r\n", "0\r\n\n", "0\n\r\n", "0\r\n\rx", "5_0\r\n", "\u00b2\r\n",
            "5\u00a0\r\n");

    @TestFactory
    Stream<DynamicTest> fields() {
        return FIELDS.stream().map(field -> refused(
                "GET / HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n5\r\nhello\r\n0\r\n\r\n" + HIDDEN, field));
    }

    @TestFactory
    Stream<DynamicTest> chunks() {
        return CHUNKS.stream().map(chunks -> refused(
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + HIDDEN, chunks));
    }

    @TestFactory
    Stream<DynamicTest> heads() {
        return Stream.of("GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
                "GET / HTTP/1.1\rHost: a\r\r", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n",
                "\nGET / HTTP/1.1\r\n", "\r\rGET / HTTP/1.1\r\n", "\u0016\u0003\u0001\u0002",
                "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.1\r\n: a\r\nHost: a\r\n\r\n", "GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n")
                .map(head -> refused(head + HIDDEN, "head " + head));
    }

    @TestFactory
    Stream<DynamicTest> codingsThatAreNotKnown() {
        return Stream.of("gzip, chunked", "gzip;q=1 ,\tChunked", "identity, chunked",
                "gzip\r\nTransfer-Encoding: chunked")
                .map(codings -> test(codings, "501", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " + codings
                        + "\r\n\r\n" + HIDDEN));
    }

    private static DynamicTest refused(String octets, String name) {
        return test(name, "400", octets);
    }

    private static DynamicTest test(String name, String status, String octets) {
        return DynamicTest.dynamicTest(name.replace("\r", "\\r").replace("\n", "\\n"), () -> {
            for (int cut = 0; cut <= octets.length(); cut++) {
                assertEquals(List.of(status), ParserEvents.of(octets, Limits.DEFAULT, cut), "cut at " + cut);
            }
        });
    }
}
