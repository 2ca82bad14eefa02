package dev.sluice.samples.oltp.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Cuts;
import dev.sluice.campaign.FuzzTarget;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a client sends: seen the same wherever it is cut, as the reference sees it, and once more if it is sent on. */
final class RespRequests implements FuzzTarget {

    private static final Limits SMALL = new Limits(4, 12);
    private static final Pattern WORD = Pattern.compile("[!-~]{1,5}");
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
    private static final Pattern NOT_ASCII = Pattern.compile("[^\\x00-\\x7f]");

    @Override
    public void check(byte[] input) {
        Random random = new Random(Arrays.hashCode(input));
        Limits limits = random.nextBoolean() ? SMALL : Limits.DEFAULT;
        List<Object> expected = new Reference(new String(input, ISO_8859_1), limits).events();
        assertEquals(expected, events(input, limits));
        assertEquals(expected, events(input, limits, Cuts.of(input, random)));
    }

    private static List<Object> events(byte[] input, Limits limits, int... cuts) {
        RequestParser parser = new RequestParser(limits);
        List<Object> events = new ArrayList<>();
        int from = 0;
        boolean going = true;
        for (int i = 0; i <= cuts.length && going; i++) {
            int to = i < cuts.length ? cuts[i] : input.length;
            going = feed(parser, ByteBuffer.wrap(input, from, to - from), events);
            from = to;
        }
        return events;
    }

    private static boolean feed(RequestParser parser, ByteBuffer in, List<Object> events) {
        while (true) {
            switch (parser.parse(in)) {
                case COMPLETE -> events.add(arguments(parser.request()));
                case INCOMPLETE -> {
                    assertFalse(in.hasRemaining());
                    return true;
                }
                case MALFORMED -> {
                    events.add(parser.complaint());
                    assertEquals(RequestParser.Outcome.MALFORMED, parser.parse(in));
                    return false;
                }
            }
        }
    }

    /** The arguments, sent on and read once more. */
    private static List<String> arguments(Request request) {
        ReplyBuffer copy = new ReplyBuffer();
        copy.array(request.count());
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < request.count(); i++) {
            request.copyTo(i, copy);
            texts.add(request.text(i));
        }
        byte[] octets = new byte[copy.size()];
        copy.pending().get(octets);
        RequestParser again = new RequestParser(Limits.DEFAULT);
        ByteBuffer in = ByteBuffer.wrap(octets);
        assertEquals(RequestParser.Outcome.COMPLETE, again.parse(in));
        assertFalse(in.hasRemaining());
        assertEquals(ReplyParser.Outcome.COMPLETE, new ReplyParser().parse(in.rewind()));
        assertFalse(in.hasRemaining());
        List<String> arguments = bulks(new String(octets, ISO_8859_1));
        assertEquals(arguments.size(), again.request().count());
        for (int i = 0; i < arguments.size(); i++) {
            understood(arguments.get(i), again.request(), i);
            assertEquals(texts.get(i), again.request().text(i));
        }
        return arguments;
    }

    private static List<String> bulks(String array) {
        List<String> bulks = new ArrayList<>();
        int at = array.indexOf('\n') + 1;
        while (at < array.length()) {
            int end = array.indexOf('\r', at);
            int length = Integer.parseInt(array.substring(at + 1, end));
            bulks.add(array.substring(end + 2, end + 2 + length));
            at = end + 2 + length + 2;
        }
        return bulks;
    }

    private static void understood(String octets, Request request, int index) {
        assertEquals(new String(octets.getBytes(ISO_8859_1), UTF_8), request.text(index));
        assertEquals(WORD.matcher(octets).matches(), request.isWord(index, 5));
        String ascii = NOT_ASCII.matcher(octets).replaceAll("?");
        assertEquals(ascii.equals(octets), request.is(index, ascii.toUpperCase(Locale.ROOT)));
        BigInteger number = INTEGER.matcher(octets).matches() ? new BigInteger(octets) : null;
        boolean fits = number != null && number.bitLength() < Long.SIZE;
        assertEquals(fits, request.isNumber(index), octets);
        assertTrue(!fits || number.longValue() == request.number(index));
    }

    /** The protocol with the whole stream at hand. */
    private static final class Reference {

        private static final Pattern NUMBER = Pattern.compile("(-?+[0-9]{1,9}+)\r\n");

        private final String octets;
        private final Limits limits;
        private final List<Object> events = new ArrayList<>();
        private int at;

        Reference(String octets, Limits limits) {
            this.octets = octets;
            this.limits = limits;
        }

        List<Object> events() {
            boolean going = true;
            while (going && at < octets.length()) {
                going = octets.charAt(at) == '*' ? array() : line();
            }
            return events;
        }

        private boolean malformed(String complaint) {
            events.add(complaint);
            return false;
        }

        /** The number of a line from the octet after its type on; null after a complaint if there is none. */
        private Integer number(String complaint) {
            Matcher number = NUMBER.matcher(octets).region(at + 1, octets.length());
            if (number.lookingAt()) {
                at = number.end();
                // A negative zero asks for nothing, too.
                return number.group(1).startsWith("-") ? -1 : Integer.parseInt(number.group(1));
            }
            if (!number.hitEnd()) {
                malformed(complaint);
            }
            return null;
        }

        private boolean array() {
            Integer count = number("invalid multibulk length");
            if (count == null) {
                return false;
            }
            if (count > limits.arguments()) {
                return malformed("invalid multibulk length");
            }
            List<String> arguments = new ArrayList<>();
            int limit = limits.octets();
            while (arguments.size() < count) {
                String argument = bulk(limit);
                if (argument == null) {
                    return false;
                }
                limit -= argument.length();
                arguments.add(argument);
            }
            if (count > 0) {
                events.add(arguments);
            }
            return true;
        }

        private String bulk(int limit) {
            if (at == octets.length()) {
                return null;
            }
            char type = octets.charAt(at);
            if (type != '$') {
                malformed("expected '$', got '" + (type > ' ' && type < 0x7F ? type : '?') + "'");
                return null;
            }
            Integer length = number("invalid bulk length");
            if (length == null) {
                return null;
            }
            if (length < 0 || length > limit) {
                malformed("invalid bulk length");
                return null;
            }
            int end = at + length;
            String after = octets.substring(Math.min(end, octets.length()), Math.min(end + 2, octets.length()));
            if (!"\r\n".startsWith(after)) {
                malformed("bulk string without its end");
                return null;
            }
            if (after.length() < 2) {
                return null;
            }
            String bulk = octets.substring(at, end);
            at = end + 2;
            return bulk;
        }

        private boolean line() {
            List<String> words = new ArrayList<>();
            StringBuilder word = new StringBuilder();
            int limit = limits.octets();
            while (at < octets.length()) {
                char c = octets.charAt(at++);
                if (c > ' ') {
                    if (limit-- == 0) {
                        return malformed("too big inline request");
                    }
                    word.append(c);
                    continue;
                }
                if (" \t\r\n".indexOf(c) < 0) {
                    return malformed("control character in inline request");
                }
                if (!word.isEmpty()) {
                    if (words.size() == limits.arguments()) {
                        return malformed("too many arguments");
                    }
                    words.add(word.toString());
                    word.setLength(0);
                }
                if (c == '\n') {
                    if (!words.isEmpty()) {
                        events.add(words);
                    }
                    return true;
                }
            }
            return false;
        }
    }
}
