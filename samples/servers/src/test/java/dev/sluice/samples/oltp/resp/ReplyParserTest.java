package dev.sluice.samples.oltp.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.oltp.resp.ReplyParser.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyParserTest {

    private static final List<String> REPLIES = List.of("+OK\r\n", "-ERR no\r\n", ":-17\r\n", "$-1\r\n", "*-1\r\n",
            "$0\r\n\r\n", "$4\r\na\r\nb\r\n", "*0\r\n", "*2\r\n*1\r\n:1\r\n*3\r\n$1\r\nx\r\n+a\r\n$-1\r\n", "+\r\n");

    private static ByteBuffer octets(String text) {
        return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
    }

    /** Tagged, because that is how octets come out again. */
    private static String stream() {
        StringBuilder stream = new StringBuilder();
        for (int tag = 0; tag < REPLIES.size(); tag++) {
            stream.append("*2\r\n:").append(tag * 1_000_000_007L).append("\r\n").append(REPLIES.get(tag));
        }
        return stream.toString();
    }

    private static void parse(ReplyParser parser, String portion, List<String> replies) {
        ByteBuffer in = octets(portion);
        Outcome outcome = parser.parse(in);
        for (; outcome == Outcome.COMPLETE; outcome = parser.parse(in)) {
            assertTrue(parser.isTagged());
            assertEquals(replies.size() * 1_000_000_007L, parser.tag());
            replies.add(new String(parser.tagged(), ISO_8859_1));
        }
        assertEquals(Outcome.INCOMPLETE, outcome);
        assertFalse(in.hasRemaining());
    }

    @Test
    void findsRepliesWhereverTheStreamIsSplit() {
        String stream = stream();
        for (int split = 0; split <= stream.length(); split++) {
            ReplyParser parser = new ReplyParser();
            List<String> replies = new ArrayList<>();
            parse(parser, stream.substring(0, split), replies);
            parse(parser, stream.substring(split), replies);
            assertEquals(REPLIES, replies);
        }
    }

    @Test
    void findsRepliesOctetByOctet() {
        ReplyParser parser = new ReplyParser();
        List<String> replies = new ArrayList<>();
        stream().chars().forEach(octet -> parse(parser, String.valueOf((char) octet), replies));
        assertEquals(REPLIES, replies);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+OK\r\n", "*1\r\n:1\r\n", "*3\r\n:1\r\n:2\r\n:3\r\n", "*2\r\n+1\r\n:2\r\n",
        "*2\r\n:-1\r\n:2\r\n", "*2\r\n:\r\n:2\r\n", "*2\r\n:1x\r\n:2\r\n", "*2\r\n:9999999999999999999\r\n:2\r\n"})
    void knowsWhatIsNotTagged(String reply) {
        ReplyParser parser = new ReplyParser();
        assertEquals(Outcome.COMPLETE, parser.parse(octets(reply)));
        assertFalse(parser.isTagged());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\r\n", "+a\n", "+a\rb", "$x\r\n", "$-2\r\n", "$\r\n", "$1\r\nab\r\n", "$1\r\na\rx",
        "*-2\r\n", "*x\r\n", "$1048577\r\n", "$99999999999999999999\r\n"})
    void complainsOfWhatIsNoReply(String text) {
        for (int split = 0; split <= text.length(); split++) {
            ReplyParser parser = new ReplyParser();
            parser.parse(octets(text.substring(0, split)));
            assertEquals(Outcome.MALFORMED, parser.parse(octets(text.substring(split))));
            assertEquals(Outcome.MALFORMED, parser.parse(octets("+OK\r\n")));
        }
    }

    @Test
    void doesNotGrowWithoutEnd() {
        ReplyParser parser = new ReplyParser();
        String line = "x".repeat(64 * 1024);
        parser.parse(octets("+"));
        Outcome outcome = Outcome.INCOMPLETE;
        for (int i = 0; i < 32; i++) {
            outcome = parser.parse(octets(line));
        }
        assertEquals(Outcome.MALFORMED, outcome);
    }
}
