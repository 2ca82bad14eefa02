package dev.sluice.samples.logging;

import dev.sluice.samples.lines.Unprintable;

/** Finds characters in octets that may be UTF-8. */
final class Utf8 {

    private static final int LARGEST = 0x10FFFF;
    private static final int[] SMALLEST_BY_LENGTH = {0, 0, 0x80, 0x800, 0x10000};

    private Utf8() {
    }

    /**
     * Looks at one character.
     *
     * @param array the array
     * @param at    its first octet
     * @param end   of what may be looked at
     * @return its octets, 1 to 4; 0 if it is unprintable, or there is no UTF-8
     */
    static int printableLength(byte[] array, int at, int end) {
        byte first = array[at];
        if (first >= 0) {
            return Unprintable.is(first) ? 0 : 1;
        }
        int length = Integer.numberOfLeadingZeros(~(first << 24));
        if (length < 2 || length > 4 || length > end - at) {
            return 0;
        }
        int codePoint = first & 0x7F >> length;
        for (int i = 1; i < length; i++) {
            if ((array[at + i] & 0xC0) != 0x80) {
                return 0;
            }
            codePoint = codePoint << 6 | array[at + i] & 0x3F;
        }
        boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        return codePoint < SMALLEST_BY_LENGTH[length] || codePoint > LARGEST || surrogate || Unprintable.is(codePoint)
                ? 0 : length;
    }
}
