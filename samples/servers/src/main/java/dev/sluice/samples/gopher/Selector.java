package dev.sluice.samples.gopher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Converts selectors to the paths of files. */
final class Selector {

    private Selector() {
    }

    /**
     * The path, beginning with a slash and without one at its end; a slash alone is the root. Null if no file can have
     * it.
     */
    static String path(byte[] octets, int length) {
        int end = 0;
        while (end < length && octets[end] != '\t') {
            end++;
        }
        String text;
        try {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(octets, 0, end)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
        StringBuilder path = new StringBuilder();
        for (String segment : text.split("/")) {
            if (segment.equals(".") || segment.equals("..") || !isName(segment)) {
                return null;
            }
            if (!segment.isEmpty()) {
                path.append('/').append(segment);
            }
        }
        return path.length() == 0 ? "/" : path.toString();
    }

    /** {@return whether a selector can carry this name of a file} */
    static boolean isName(String name) {
        return name.chars().noneMatch(each -> each < ' ' || each >= 0x7F && each < 0xA0 || each == '\\');
    }
}
