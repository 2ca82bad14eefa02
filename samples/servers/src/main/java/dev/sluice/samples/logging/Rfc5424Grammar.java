package dev.sluice.samples.logging;

/**
 * The grammar of RFC 5424 section 6 from after VERSION on. Methods return the index after what they have read, or -1
 * having marked the record malformed.
 */
final class Rfc5424Grammar {

    private static final int MAX_SD_NAME = 32;

    private Rfc5424Grammar() {
    }

    static void parse(SyslogRecord record, int afterVersion, int end) {
        int at = headerField(record, SyslogField.TIMESTAMP, afterVersion, end);
        at = at < 0 ? at : headerField(record, SyslogField.HOST, at, end);
        at = at < 0 ? at : headerField(record, SyslogField.APP, at, end);
        at = at < 0 ? at : headerField(record, SyslogField.PROCID, at, end);
        at = at < 0 ? at : headerField(record, SyslogField.MSGID, at, end);
        at = at < 0 ? at : structuredData(record, at, end);
        if (at >= 0 && at < end) {
            message(record, at, end);
        }
    }

    private static int headerField(SyslogRecord record, SyslogField field, int afterPrevious, int end) {
        byte[] array = record.array();
        int start = Math.min(afterPrevious + 1, end);
        int at = start;
        while (at < end && isPrintable(array[at])) {
            at++;
        }
        if (at < end && array[at] != ' ') {
            return malformed(record, field, "has an illegal character", at);
        }
        if (at == start) {
            return malformed(record, field, "missing", at);
        }
        if (at - start > field.maxLength()) {
            return malformed(record, field, "too long", start);
        }
        if (isNil(array, start, at)) {
            return at;
        }
        if (field == SyslogField.TIMESTAMP && !Timestamps.isRfc5424(array, start, at)) {
            return malformed(record, field, "invalid", start);
        }
        record.set(field, start, at);
        return at;
    }

    private static int structuredData(SyslogRecord record, int afterHeader, int end) {
        byte[] array = record.array();
        int start = afterHeader + 1;
        if (start >= end) {
            return malformed(record, SyslogField.STRUCTURED_DATA, "missing", end);
        }
        int at = start;
        if (array[at] == '-') {
            at++;
        } else if (array[at] != '[') {
            return malformed(record, SyslogField.STRUCTURED_DATA, "missing", at);
        } else {
            while (at >= 0 && at < end && array[at] == '[') {
                at = element(record, at, end);
            }
            if (at < 0) {
                return at;
            }
            record.set(SyslogField.STRUCTURED_DATA, start, at);
        }
        if (at < end && array[at] != ' ') {
            return malformed(record, SyslogField.STRUCTURED_DATA, "not followed by a space", at);
        }
        return at;
    }

    private static int element(SyslogRecord record, int open, int end) {
        byte[] array = record.array();
        int at = name(record, open + 1, end);
        while (at >= 0 && at < end && array[at] == ' ') {
            at = parameter(record, at + 1, end);
        }
        if (at < 0) {
            return at;
        }
        if (at == end) {
            return notClosed(record, end);
        }
        return array[at] == ']' ? at + 1 : illegalOctet(record, at);
    }

    private static int parameter(SyslogRecord record, int start, int end) {
        byte[] array = record.array();
        int at = name(record, start, end);
        if (at < 0) {
            return at;
        }
        if (at == end || at + 1 == end && array[at] == '=') {
            return notClosed(record, end);
        }
        if (array[at] != '=') {
            return illegalOctet(record, at);
        }
        return array[at + 1] == '"' ? value(record, at + 2, end) : illegalOctet(record, at + 1);
    }

    private static int name(SyslogRecord record, int start, int end) {
        byte[] array = record.array();
        int at = start;
        while (at < end && isPrintable(array[at]) && array[at] != '=' && array[at] != ']' && array[at] != '"') {
            at++;
        }
        if (at - start > MAX_SD_NAME) {
            return malformed(record, SyslogField.STRUCTURED_DATA, "name too long", start);
        }
        if (at == start) {
            return at == end ? notClosed(record, end) : illegalOctet(record, at);
        }
        return at;
    }

    private static int value(SyslogRecord record, int start, int end) {
        byte[] array = record.array();
        int at = start;
        while (at < end && array[at] != '"') {
            if (array[at] == ']') {
                return malformed(record, SyslogField.STRUCTURED_DATA, "has an unescaped ]", at);
            }
            // RFC 5424 section 6.3.3: what follows a backslash is escaped, or as plain as the backslash itself; neither
            // ends the value.
            at += array[at] == '\\' ? 2 : 1;
        }
        return at < end ? at + 1 : notClosed(record, end);
    }

    private static void message(SyslogRecord record, int space, int end) {
        byte[] array = record.array();
        int start = space + 1;
        // RFC 5424 section 6.4: the mark says that UTF-8 follows and is not part of the text.
        boolean marked = end - start >= 3
                && array[start] == (byte) 0xEF && array[start + 1] == (byte) 0xBB && array[start + 2] == (byte) 0xBF;
        record.set(SyslogField.MESSAGE, marked ? start + 3 : start, end);
    }

    private static int notClosed(SyslogRecord record, int end) {
        return malformed(record, SyslogField.STRUCTURED_DATA, "not closed", end);
    }

    private static int illegalOctet(SyslogRecord record, int at) {
        return malformed(record, SyslogField.STRUCTURED_DATA, "has an illegal character", at);
    }

    private static int malformed(SyslogRecord record, SyslogField field, String why, int at) {
        record.malformed(field, why, at);
        return -1;
    }

    private static boolean isNil(byte[] array, int start, int end) {
        return end - start == 1 && array[start] == '-';
    }

    /** PRINTUSASCII. */
    private static boolean isPrintable(byte octet) {
        return octet > ' ' && octet < 0x7F;
    }
}
