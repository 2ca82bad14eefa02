package dev.sluice.samples.logging;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/**
 * How a record is written: as received, on exactly one line.
 *
 * <p>Control characters, 0 to 31 and 127, become {@code #} and three octal digits, as rsyslog writes them: a sender
 * cannot forge a second line. Other octets stay, valid UTF-8 or not, and so does a {@code #}: the writing is for
 * reading, not for getting the record back. LF ends the line.
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
        for (int at = offset; at < offset + length; at++) {
            if (isControl(array[at])) {
                result += ESCAPE_GROWTH;
            }
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
        for (int at = offset; at < end; at++) {
            byte octet = array[at];
            if (isControl(octet)) {
                target.put(array, plain, at - plain);
                target.put((byte) '#');
                target.put((byte) ('0' + (octet >> 6)));
                target.put((byte) ('0' + (octet >> 3 & 7)));
                target.put((byte) ('0' + (octet & 7)));
                plain = at + 1;
            }
        }
        target.put(array, plain, end - plain);
        target.put((byte) '\n');
    }

    private static boolean isControl(byte octet) {
        return octet >= 0 && octet < ' ' || octet == 0x7F;
    }
}
