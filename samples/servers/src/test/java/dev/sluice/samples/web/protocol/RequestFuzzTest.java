package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestFuzzTest {

    private static final int ROUNDS = 20_000;
    private static final Limits LIMITS = new Limits(100, 300, 8, 100);
    private static final String[] PIECES = {"GET ", "HEAD ", "POST ", "/", "/a", "..", "%2e", "%2F", "%00",
        "%c0%af", "?", " HTTP/1.1\r\n", " HTTP/1.0\r\n", "Host: a\r\n", "Content-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n", "Range: bytes=0-1\r\n",
        "\r\n", "\r", "\n", " ", ":", "\t", "3\r\nabc\r\n", "0\r\n\r\n", "\u0000", "\u00ff", "http://"};
    private static final String VALID = "GET /a%20b?c HTTP/1.1\r\nHost: a\r\n\r\n"
            + "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nt: u\r\n\r\n"
            + "HEAD / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nxy";

    @ParameterizedTest
    @ValueSource(longs = {1998, 9112})
    void cutsNeverChangeWhatIsSeen(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] octets = round % 2 == 0 ? pieces(random) : mutated(random);
            List<String> whole = ParserEvents.of(octets, LIMITS);
            int[] cuts = random.ints(random.nextInt(8), 0, octets.length + 1).sorted().toArray();
            assertEquals(whole, ParserEvents.of(octets, LIMITS, cuts), "seed " + seed + ", round " + round);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {3986, 9110})
    void pathsAreRefusedOrConfined(long seed) {
        Random random = new Random(seed);
        String[] parts = {"/", "//", "a", ".", "..", "...", "%2e", "%2E%2e", "%2f", "%5c", "\\", "%25", "%252e",
            "%", "%g0", "%00", "%c3%a9", "%c0%ae", "%ed%a0%80", "%f0%9f%90%8b", "~", ";", "%0a", "%7f", "%e2%80%a8"};
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder target = new StringBuilder("/");
            for (int i = random.nextInt(8); i > 0; i--) {
                target.append(parts[random.nextInt(parts.length)]);
            }
            byte[] octets = target.toString().getBytes(ISO_8859_1);
            String path = TargetPath.decode(octets, 0, octets.length);
            if (path != null) {
                assertTrue(path.startsWith("/") && !path.contains("//") && !path.contains("\\") && !path.contains("\0")
                        && !(path + "/").contains("/../") && !(path + "/").contains("/./"), target + " is " + path);
                String again = TargetPath.encode(path);
                assertEquals(path, TargetPath.decode(again.getBytes(ISO_8859_1), 0, again.length()), target.toString());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {14, 13})
    void fieldValuesNeverThrow(long seed) {
        Random random = new Random(seed);
        String[] parts = {"bytes", "=", "-", ",", " ", "0", "5", "99999999999999999999", "\"", "W/", "*", "\"a\"",
            "Sun, ", "06 Nov 1994", " 08:49:37 GMT", "Sunday, 06-Nov-94", "Sun Nov  6 08:49:37 1994", "30 Feb 2000",
            "gzip", ";q=", "*", ".",
            "\u00ff"};
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder value = new StringBuilder();
            for (int i = random.nextInt(7); i > 0; i--) {
                value.append(parts[random.nextInt(parts.length)]);
            }
            long size = random.nextInt(10);
            List<ByteRange> ranges = ByteRanges.select(value.toString(), size);
            assertTrue(ranges == null || ranges.stream().allMatch(range -> range.offset() >= 0 && range.length() > 0
                    && range.offset() + range.length() <= size), () -> value + " of " + size + " is " + ranges);
            HttpDate.parse(value.toString(), 0);
            AcceptEncoding.read(value.toString());
            EntityTags.match(value.toString(), "\"a\"", random.nextBoolean());
        }
    }

    private static byte[] pieces(Random random) {
        StringBuilder octets = new StringBuilder(random.nextBoolean() ? "GET / HTTP/1.1\r\nHost: a\r\n" : "");
        for (int i = random.nextInt(16); i > 0; i--) {
            octets.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return octets.toString().getBytes(ISO_8859_1);
    }

    private static byte[] mutated(Random random) {
        byte[] octets = VALID.getBytes(ISO_8859_1);
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(octets.length);
            octets[at] = random.nextBoolean() ? (byte) random.nextInt(256) : octets[random.nextInt(octets.length)];
        }
        return octets;
    }
}
