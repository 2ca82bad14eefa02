package dev.sluice.samples.oltp.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.campaign.Cuts;
import dev.sluice.campaign.FuzzTarget;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a server sends: cut into the same replies wherever the stream is cut, and into those of the reference. */
final class RespReplies implements FuzzTarget {

    private static final BigInteger LARGEST = BigInteger.valueOf(1 << 20);
    private static final Pattern TAGGED = Pattern.compile("[*]2\r\n:([0-9]{1,18})\r\n(.*)", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Pattern LINE = Pattern.compile("[^\r\n]*+\r\n");

    @Override
    public void check(byte[] input) {
        List<String> expected = new Reference(new String(input, ISO_8859_1)).events();
        assertEquals(expected, events(input));
        assertEquals(expected, events(input, Cuts.of(input, new Random(Arrays.hashCode(input)))));
    }

    private static List<String> events(byte[] input, int... cuts) {
        ReplyParser parser = new ReplyParser();
        List<String> events = new ArrayList<>();
        int from = 0;
        boolean going = true;
        int replyStart = 0;
        for (int i = 0; i <= cuts.length && going; i++) {
            int to = i < cuts.length ? cuts[i] : input.length;
            ByteBuffer in = ByteBuffer.wrap(input, from, to - from);
            ReplyParser.Outcome outcome = parser.parse(in);
            for (; outcome == ReplyParser.Outcome.COMPLETE; outcome = parser.parse(in)) {
                String reply = new String(input, replyStart, in.position() - replyStart, ISO_8859_1);
                replyStart = in.position();
                events.add(parser.isTagged()
                        ? parser.tag() + " " + new String(parser.tagged(), ISO_8859_1) : reply);
            }
            if (outcome == ReplyParser.Outcome.MALFORMED) {
                events.add("malformed");
                going = false;
            } else {
                assertFalse(in.hasRemaining());
            }
            from = to;
        }
        return events;
    }

    /** RESP2 with the whole stream at hand. */
    private static final class Reference {

        private final String octets;
        private final List<String> events = new ArrayList<>();
        private int at;

        Reference(String octets) {
            this.octets = octets;
        }

        List<String> events() {
            int start = at;
            while (at < octets.length() && reply()) {
                String reply = octets.substring(start, at);
                Matcher tagged = TAGGED.matcher(reply);
                events.add(tagged.matches() ? Long.parseLong(tagged.group(1)) + " " + tagged.group(2) : reply);
                start = at;
            }
            return events;
        }

        private boolean malformed() {
            events.add("malformed");
            return false;
        }

        /** Goes on over one reply; false if that is the end of it all. */
        private boolean reply() {
            if (at == octets.length()) {
                return false;
            }
            char type = octets.charAt(at);
            if ("+-:$*".indexOf(type) < 0) {
                return malformed();
            }
            Matcher line = LINE.matcher(octets).region(at + 1, octets.length());
            if (!line.lookingAt()) {
                return !line.hitEnd() && malformed();
            }
            String text = octets.substring(at + 1, line.end() - 2);
            at = line.end();
            if (type != '$' && type != '*' || text.equals("-1")) {
                return true;
            }
            if (!NUMBER.matcher(text).matches() || new BigInteger(text).compareTo(LARGEST) > 0) {
                return malformed();
            }
            int number = new BigInteger(text).intValue();
            return type == '$' ? bulk(number) : array(number);
        }

        private boolean bulk(int length) {
            int end = at + length + 2;
            if (end > octets.length()) {
                return false;
            }
            at = end;
            return octets.startsWith("\r\n", end - 2) || malformed();
        }

        private boolean array(int count) {
            for (int i = 0; i < count; i++) {
                if (!reply()) {
                    return false;
                }
            }
            return true;
        }
    }
}
