package dev.sluice.samples.logging;

/**
 * What can be recognised after the priority of a record in the manner of RFC 3164. That RFC describes what senders
 * were seen to do and forbids nothing, hence what is not recognised is part of the message.
 */
final class Rfc3164Reading {

    private Rfc3164Reading() {
    }

    static void read(SyslogRecord record, int start, int end) {
        int at = timestamp(record, start, end);
        if (at > start) {
            // Section 4.3.3: without a timestamp all of it is content, whatever it looks like.
            at = host(record, at, end);
            at = tag(record, at, end);
        }
        record.set(SyslogField.MESSAGE, at, end);
    }

    private static int timestamp(SyslogRecord record, int start, int end) {
        byte[] array = record.array();
        int stop;
        if (Timestamps.startsRfc3164(array, start, end)) {
            stop = start + Timestamps.RFC3164_LENGTH;
        } else {
            // Relays are seen to write the precise timestamp of RFC 5424 into the older format.
            stop = endOfWord(array, start, end, SyslogField.TIMESTAMP.maxLength());
            if (!Timestamps.isRfc5424(array, start, stop)) {
                return start;
            }
        }
        if (stop < end && array[stop] != ' ') {
            return start;
        }
        record.set(SyslogField.TIMESTAMP, start, stop);
        return Math.min(stop + 1, end);
    }

    /** A local sender leaves the host out: a word ending in a colon is already the tag. */
    private static int host(SyslogRecord record, int start, int end) {
        byte[] array = record.array();
        int stop = endOfWord(array, start, end, SyslogField.HOST.maxLength());
        if (stop == start || stop == end || array[stop] != ' ' || array[stop - 1] == ':') {
            return start;
        }
        record.set(SyslogField.HOST, start, stop);
        return stop + 1;
    }

    /**
     * Section 4.1.3 has a tag of letters and digits that anything else terminates. Programs are called
     * {@code postfix/smtpd} and {@code systemd-logind}, and messages without a tag begin with letters too, so here
     * only a colon or a process id in brackets makes a tag.
     */
    private static int tag(SyslogRecord record, int start, int end) {
        byte[] array = record.array();
        int stop = start;
        while (stop < end && isPrintable(array[stop]) && array[stop] != ':' && array[stop] != '[') {
            stop++;
        }
        if (stop == start || stop == end || stop - start > SyslogField.APP.maxLength()) {
            return start;
        }
        int at = stop;
        if (array[stop] == '[') {
            int close = endOfProcessId(array, stop + 1, end);
            if (close < 0) {
                return start;
            }
            record.set(SyslogField.PROCID, stop + 1, close);
            at = close + 1;
        } else if (array[stop] != ':') {
            return start;
        }
        record.set(SyslogField.APP, start, stop);
        if (at < end && array[at] == ':') {
            at++;
        }
        return at < end && array[at] == ' ' ? at + 1 : at;
    }

    private static int endOfProcessId(byte[] array, int start, int end) {
        int at = start;
        while (at < end && isPrintable(array[at]) && array[at] != ']') {
            at++;
        }
        boolean closed = at > start && at < end && array[at] == ']';
        return closed && at - start <= SyslogField.PROCID.maxLength() ? at : -1;
    }

    private static int endOfWord(byte[] array, int start, int end, int maxLength) {
        int at = start;
        while (at < end && at - start < maxLength && isPrintable(array[at])) {
            at++;
        }
        return at;
    }

    private static boolean isPrintable(byte octet) {
        return octet > ' ' && octet < 0x7F;
    }
}
