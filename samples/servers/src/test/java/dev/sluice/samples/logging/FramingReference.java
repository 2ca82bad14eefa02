package dev.sluice.samples.logging;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** RFC 6587 with the whole stream at hand: what {@link SyslogFramer} must report, as {@link FramerEvents} says it. */
final class FramingReference {

    private static final Pattern COUNT = Pattern.compile("[0-9]+");
    private static final Pattern LINE = Pattern.compile("([^\\n\\x00]*)([\\n\\x00]?)");

    private FramingReference() {
    }

    static List<String> events(String stream, int maxRecord, boolean broken) {
        List<String> events = new ArrayList<>();
        int at = 0;
        while (at >= 0 && at < stream.length()) {
            boolean counted = Character.digit(stream.charAt(at), 10) >= 0;
            at = counted ? counted(stream, at, maxRecord, events) : line(stream, at, maxRecord, broken, events);
        }
        return events;
    }

    /** Tells where the next record begins, or -1. */
    private static int counted(String stream, int at, int maxRecord, List<String> events) {
        Matcher digits = COUNT.matcher(stream).region(at, stream.length());
        digits.lookingAt();
        int end = digits.end();
        if (digits.group().startsWith("0")) {
            events.add("error octet count begins with 0");
            return -1;
        }
        if (end - at > 10) {
            events.add("error octet count has more than 10 digits");
            return -1;
        }
        if (end == stream.length()) {
            events.add("truncated 0 of -1");
            return -1;
        }
        if (stream.charAt(end) != ' ') {
            events.add("error octet count not followed by a space");
            return -1;
        }
        long count = Long.parseLong(digits.group());
        long next = end + 1 + count;
        if (count > maxRecord) {
            events.add("oversized " + count);
            return next < stream.length() ? (int) next : -1;
        }
        if (next > stream.length()) {
            events.add("truncated " + (stream.length() - end - 1) + " of " + count);
            return -1;
        }
        events.add("record " + stream.substring(end + 1, (int) next));
        return (int) next;
    }

    private static int line(String stream, int at, int maxRecord, boolean broken, List<String> events) {
        Matcher line = LINE.matcher(stream).region(at, stream.length());
        line.lookingAt();
        String seen = line.group(1);
        String trailer = line.group(2);
        String record = seen.endsWith("\r") && !trailer.equals("\0") ? seen.substring(0, seen.length() - 1) : seen;
        // Of a line that is cut off, the octet after the longest record may still have been half of its trailer.
        boolean cut = trailer.isEmpty() && broken && seen.length() <= maxRecord + 1;
        if (cut && !record.isEmpty()) {
            events.add("truncated " + record.length() + " of -1");
        } else if (record.length() > maxRecord) {
            events.add("oversized " + record.length());
        } else if (!record.isEmpty()) {
            events.add("record " + record);
        }
        return line.end();
    }
}
