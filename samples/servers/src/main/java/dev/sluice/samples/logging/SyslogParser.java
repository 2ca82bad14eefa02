package dev.sluice.samples.logging;

import java.util.Objects;

/**
 * Tells what kind of syslog record a range of octets is, and where its parts are.
 *
 * <p>RFC 5424 records are held to the grammar and the length limits of section 6. Not checked are that SD-IDs are
 * unique and registered and that texts are valid UTF-8: such records can be stored and read like any other. After a
 * valid priority every record that does not say version 1 is an RFC 3164 one, with as much filled in as can be
 * recognised.
 *
 * <p>Reusable; parsing allocates nothing. Not thread-safe.
 */
public final class SyslogParser {

    private static final int MAX_PRIORITY = 191;
    private static final int MAX_PRIORITY_DIGITS = 3;

    private final SyslogRecord record = new SyslogRecord();

    /**
     * Parses a record without its framing.
     *
     * @return the same object each time
     */
    public SyslogRecord parse(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        int end = offset + length;
        record.begin(array, offset);
        int at = priority(array, offset, end);
        if (at < 0) {
            return record;
        }
        if (claimsRfc5424(array, at, end)) {
            record.format(SyslogFormat.RFC5424);
            Rfc5424Grammar.parse(record, at + 1, end);
        } else {
            Rfc3164Reading.read(record, at, end);
        }
        return record;
    }

    /** Returns the index after the priority, or -1. */
    private int priority(byte[] array, int offset, int end) {
        if (offset == end || array[offset] != '<') {
            record.malformed("no priority");
            return -1;
        }
        int first = offset + 1;
        int at = first;
        int value = 0;
        while (at < end && at - first <= MAX_PRIORITY_DIGITS && isDigit(array[at])) {
            value = 10 * value + (array[at++] - '0');
        }
        int digits = at - first;
        if (digits == 0) {
            record.malformed("no priority");
        } else if (digits > 1 && array[first] == '0') {
            // RFC 5424 section 6.2.1 and RFC 3164 section 4.1.1: a 0 follows the "<" only when it is the whole value.
            record.malformed("priority with leading zero");
        } else if (value > MAX_PRIORITY) {
            record.malformed("priority out of range");
        } else if (at == end || array[at] != '>') {
            record.malformed("priority not closed");
        } else {
            record.priority(value);
            return at + 1;
        }
        return -1;
    }

    /** VERSION is up to three digits (RFC 5424 section 6), hence "1" alone counts only if no digit or text follows. */
    private static boolean claimsRfc5424(byte[] array, int at, int end) {
        return at < end && array[at] == '1' && (at + 1 == end || array[at + 1] == ' ');
    }

    private static boolean isDigit(byte octet) {
        return octet >= '0' && octet <= '9';
    }
}
