package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Feeds a parser with chunks and notes what it makes of them. */
final class ParserEvents {

    /** Reused, since allocating one takes longer than all that is tested with it. */
    private static ByteBuffer direct = ByteBuffer.allocateDirect(1024);

    private final RequestParser parser;
    private final List<String> seen = new ArrayList<>();

    private ParserEvents(RequestParser parser) {
        this.parser = parser;
    }

    static List<String> of(String octets, Limits limits, int... cuts) {
        return of(octets.getBytes(ISO_8859_1), limits, cuts);
    }

    static List<String> of(byte[] octets, Limits limits, int... cuts) {
        ParserEvents events = new ParserEvents(new RequestParser(limits));
        int from = 0;
        for (int to : cuts) {
            events.feed(octets, from, to);
            from = to;
        }
        events.feed(octets, from, octets.length);
        return events.seen;
    }

    /** One after the other, the chunks are of the three kinds that a strategy may use. */
    private void feed(byte[] octets, int from, int to) {
        ByteBuffer chunk = switch (from % 3) {
            case 0 -> ByteBuffer.wrap(Arrays.copyOfRange(octets, from, to));
            case 1 -> direct(octets, from, to);
            default -> ByteBuffer.wrap(octets, from, to - from).slice().asReadOnlyBuffer();
        };
        RequestParser.Progress progress;
        do {
            progress = parser.parse(chunk);
            switch (progress) {
                case COMPLETE -> seen.add(describe(parser.request()));
                case CONTINUE -> seen.add("100");
                case REFUSED -> seen.add(Integer.toString(parser.refusal().code()));
                case MORE -> { }
            }
        } while (progress != RequestParser.Progress.MORE);
        if (chunk.hasRemaining()) {
            throw new AssertionError("left over: " + chunk);
        }
    }

    private static ByteBuffer direct(byte[] octets, int from, int to) {
        if (direct.capacity() < to - from + 3) {
            direct = ByteBuffer.allocateDirect(to - from + 3);
        }
        return direct.clear().position(3).put(octets, from, to - from).flip().position(3);
    }

    private static String describe(Request request) {
        return request.method() + " " + (request.method().isServed() ? request.path() + request.query() : "*") + " 1."
                + request.minorVersion() + (request.isPersistent() ? "" : " close");
    }
}
