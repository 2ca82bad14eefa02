package dev.sluice.samples.logging;

import dev.sluice.samples.lines.Unprintable;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/**
 * How a record is written: its text as received, on exactly one line.
 *
 * <p>Of UTF-8, {@linkplain Unprintable unprintable} characters become {@code #} and three octal digits for each octet,
 * as rsyslog writes controls, and so do octets that are no UTF-8: a sender cannot forge a second line, nor have the
 * terminal that shows the file do anything but show it. All other text stays, and so does a {@code #}: the writing is
 * for reading, not for getting the record back. LF ends the line.
 */
public final class LogLine {

    private static final int ESCAPE_GROWTH = 3;

    private LogLine() {
    }

    /**
     * Octets the record takes as a line, its LF included: 1 to 4 times {@code length} + 1.
     *
     * @param length octets, up to a quarter of {@link Integer#MAX_VALUE} less one
     */
    public static int length(byte[] array, int offset, int length) {
        int result = length + 1;
        int end = offset + length;
        int at = offset;
        while (at < end) {
            int plain = Utf8.printableLength(array, at, end);
            result += plain == 0 ? ESCAPE_GROWTH : 0;
            at += Math.max(plain, 1);
        }
        return result;
    }

    /**
     * Puts the record as a line at the target's position.
     *
     * @throws BufferOverflowException if the target has too little room; nothing has been put then
     */
    public static void put(byte[] array, int offset, int length, ByteBuffer target) {
        if (target.remaining() < length(array, offset, length)) {
            throw new BufferOverflowException();
        }
        int end = offset + length;
        int plain = offset;
        int at = offset;
        while (at < end) {
            int printable = Utf8.printableLength(array, at, end);
            if (printable > 0) {
                at += printable;
                continue;
            }
            byte octet = array[at];
            target.put(array, plain, at - plain);
            target.put((byte) '#');
            target.put((byte) Unprintable.digit(octet, 6));
            target.put((byte) Unprintable.digit(octet, 3));
            target.put((byte) Unprintable.digit(octet, 0));
            at++;
            plain = at;
        }
        target.put(array, plain, end - plain);
        target.put((byte) '\n');
    }
}
