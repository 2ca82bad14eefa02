package dev.sluice.samples.lines;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Characters that do something to the terminal or editor that shows them instead of being seen: controls, those of C1
 * included, which begin sequences as ESC does; marks that change the direction of the text around them, so that it
 * reads otherwise than it is; and the separators of lines and paragraphs, at which some programs begin another line. Of
 * text that strangers have sent they are written as rsyslog writes controls: {@code #} and three octal digits for each
 * octet of UTF-8.
 */
public final class Unprintable {

    private static final int ARABIC_LETTER_MARK = 0x061C;

    private Unprintable() {
    }

    /**
     * Returns whether a character is unprintable.
     *
     * @param codePoint the character
     * @return whether it is a control, a separator or a mark of direction
     */
    public static boolean is(int codePoint) {
        if (codePoint < 0x80) {
            return codePoint < ' ' || codePoint == 0x7F;
        }
        return codePoint < 0xA0 || codePoint == ARABIC_LETTER_MARK
                || codePoint >= 0x200E && codePoint <= 0x200F
                || codePoint >= 0x2028 && codePoint <= 0x202E
                || codePoint >= 0x2066 && codePoint <= 0x2069;
    }

    /**
     * Makes text safe to print.
     *
     * @param text which may have several lines
     * @return the same with its unprintable characters escaped, but for tabs and the ends of lines
     */
    public static String escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isEscaped(text.charAt(i))) {
                return escapeFrom(i, text);
            }
        }
        return text;
    }

    private static boolean isEscaped(char c) {
        return c != '\n' && c != '\t' && is(c);
    }

    private static String escapeFrom(int first, String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isEscaped(c)) {
                // All are characters of one unit, with one to three octets.
                for (byte octet : String.valueOf(c).getBytes(UTF_8)) {
                    escaped.append('#').append(digit(octet, 6)).append(digit(octet, 3)).append(digit(octet, 0));
                }
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /**
     * {@return an octal digit of an octet}
     *
     * @param octet the octet
     * @param shift 6, 3 or 0 for the first, second or third digit
     */
    public static char digit(byte octet, int shift) {
        return (char) ('0' + ((octet & 0xFF) >> shift & 7));
    }
}
