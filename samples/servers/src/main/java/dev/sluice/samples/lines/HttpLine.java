package dev.sluice.samples.lines;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Recognizes HTTP in a stream of lines that is meant to be something else. A web page can have a browser send a request
 * to any port that the browser reaches, those of its own machine included, and chooses the lines of its body; what it
 * cannot choose is that the request line comes first. So a server that ends a connection at that line, as Redis does,
 * executes nothing of the body.
 */
public final class HttpLine {

    private static final byte[] HOST = "HOST:".getBytes(US_ASCII);
    private static final byte[] VERSION = "HTTP/".getBytes(US_ASCII);
    private static final int VERSION_LENGTH = "HTTP/1.1".length();

    private HttpLine() {
    }

    /**
     * Returns whether a line is the request line of an HTTP request, or its field {@code Host}, which each has. Spaces
     * inside of the line do not matter.
     *
     * @param octets the octets
     * @param offset of its first octet
     * @param length in octets, with or without the line's end
     * @return whether it ends with {@code HTTP/} and a version, or begins with {@code Host:}
     */
    public static boolean isHttp(byte[] octets, int offset, int length) {
        int start = offset;
        int end = offset + length;
        while (end > start && octets[end - 1] >= 0 && octets[end - 1] <= ' ') {
            end--;
        }
        int version = end - VERSION_LENGTH;
        return end - start >= HOST.length && isWord(octets, start, HOST)
                || version >= start && isWord(octets, version, VERSION) && isDigit(octets[end - 3])
                && octets[end - 2] == '.' && isDigit(octets[end - 1]);
    }

    private static boolean isWord(byte[] octets, int at, byte[] word) {
        for (int i = 0; i < word.length; i++) {
            int octet = octets[at + i];
            int capital = octet >= 'a' && octet <= 'z' ? octet - 'a' + 'A' : octet;
            if (capital != word[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(byte octet) {
        return octet >= '0' && octet <= '9';
    }
}
