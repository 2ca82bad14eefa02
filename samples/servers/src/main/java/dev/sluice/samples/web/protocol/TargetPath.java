package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The path of a request target: decoded once, then normalised, in this order, so that {@code %2e%2e} is as good as
 * {@code ..} (RFC 3986 section 6.2.2) and {@code %252e} is a name with a per cent sign.
 */
final class TargetPath {

    private static final String UNENCODED = "-._~!$&'()*+,;=:@/";

    private TargetPath() {
    }

    /**
     * The path, beginning with a slash, without empty and dot segments. Null if it climbs above the root, is not valid
     * UTF-8 (an overlong form, say, or a surrogate), or has an encoding that hides a slash, a backslash or a control
     * character: names that no link leads to.
     */
    static String decode(byte[] octets, int from, int to) {
        if (isPlain(octets, from, to)) {
            return new String(octets, from, to - from, UTF_8);
        }
        ByteBuffer decoded = percentDecoded(octets, from, to);
        if (decoded == null) {
            return null;
        }
        try {
            String path = UTF_8.newDecoder().decode(decoded).toString();
            // Those beyond ASCII, which a terminal that shows a log may obey.
            return path.chars().anyMatch(Character::isISOControl) ? null : normalised(path);
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Whether nothing is to be decoded or removed, as in nearly every request. */
    private static boolean isPlain(byte[] octets, int from, int to) {
        byte last = 0;
        for (int at = from; at < to; at++) {
            byte octet = octets[at];
            if (octet == '%' || octet == '\\' || octet < 0 || last == '/' && (octet == '/' || octet == '.')) {
                return false;
            }
            last = octet;
        }
        return from < to;
    }

    private static ByteBuffer percentDecoded(byte[] octets, int from, int to) {
        ByteBuffer decoded = ByteBuffer.allocate(to - from);
        for (int at = from; at < to; at++) {
            int octet = octets[at];
            if (octet == '%') {
                octet = HttpGrammar.encoded(octets, at, to);
                at += 2;
                if (octet == '/') {
                    return null;
                }
            }
            if (octet < ' ' || octet == '\\' || octet == 0x7F) {
                return null;
            }
            decoded.put((byte) octet);
        }
        return decoded.flip();
    }

    /** RFC 3986 section 5.2.4, but refusing what leads above the root. Empty segments go as well. */
    private static String normalised(String path) {
        Deque<String> kept = new ArrayDeque<>();
        String last = "";
        for (String segment : path.split("/", -1)) {
            last = segment;
            if (segment.equals("..")) {
                if (kept.pollLast() == null) {
                    return null;
                }
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                kept.add(segment);
            }
        }
        boolean directory = last.isEmpty() || last.equals(".") || last.equals("..");
        return kept.isEmpty() ? "/" : "/" + String.join("/", kept) + (directory ? "/" : "");
    }

    /** The inverse, for a Location field. */
    static String encode(String path) {
        return encode(path, UNENCODED);
    }

    /** The same for one name. */
    static String encodeSegment(String name) {
        return encode(name, UNENCODED.replace("/", ""));
    }

    private static String encode(String text, String unencoded) {
        byte[] octets = text.getBytes(UTF_8);
        StringBuilder encoded = new StringBuilder(octets.length + 16);
        for (byte octet : octets) {
            boolean plain = octet > ' ' && (Character.isLetterOrDigit(octet) || unencoded.indexOf(octet) >= 0);
            if (plain) {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append(Character.toUpperCase(Character.forDigit(octet >> 4 & 15, 16)))
                        .append(Character.toUpperCase(Character.forDigit(octet & 15, 16)));
            }
        }
        return encoded.toString();
    }
}
