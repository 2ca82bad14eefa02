package dev.sluice.samples.dns;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A domain name in its wire format: labels, each preceded by its length, and the empty label of the root (RFC 1035
 * section 3.1). Names are case-insensitive, and kept in lower case.
 */
final class DomainName {

    static final int LONGEST = 255;
    static final DomainName ROOT = new DomainName(new byte[1]);

    private static final int LONGEST_LABEL = 63;
    private static final int POINTER = 0xC0;

    private final byte[] wire;

    private DomainName(byte[] wire) {
        this.wire = wire;
    }

    /**
     * Reads a name of a message; it may be compressed (RFC 1035 section 4.1.4).
     *
     * @param message from its first byte to its limit; the position is at the name, and then behind it
     * @throws MalformedMessage if it is too long, truncated, or points forward, as only a loop does
     */
    static DomainName read(ByteBuffer message) throws MalformedMessage {
        byte[] wire = new byte[LONGEST];
        int length = 0;
        int at = message.position();
        int barrier = at;
        int end = -1;
        while (true) {
            int label = octet(message, at);
            if ((label & POINTER) == POINTER) {
                int target = (label & ~POINTER) << 8 | octet(message, at + 1);
                end = end < 0 ? at + 2 : end;
                if (target >= barrier) {
                    throw new MalformedMessage("a name that points forward");
                }
                at = target;
                barrier = target;
            } else if (label > LONGEST_LABEL) {
                throw new MalformedMessage("a label of a type that is not used");
            } else {
                if (length + 1 + label > LONGEST) {
                    throw new MalformedMessage("a name of more than " + LONGEST + " octets");
                }
                wire[length++] = (byte) label;
                for (int i = 1; i <= label; i++) {
                    wire[length++] = lower(octet(message, at + i));
                }
                at += 1 + label;
                if (label == 0) {
                    message.position(end < 0 ? at : end);
                    return new DomainName(Arrays.copyOf(wire, length));
                }
            }
        }
    }

    private static int octet(ByteBuffer message, int at) throws MalformedMessage {
        if (at >= message.limit()) {
            throw new MalformedMessage("a truncated name");
        }
        return message.get(at) & 0xFF;
    }

    private static byte lower(int octet) {
        return (byte) (octet >= 'A' && octet <= 'Z' ? octet + 'a' - 'A' : octet);
    }

    /**
     * Parses a name in the format of master files: labels with dots in between, {@code \.} for a dot that is part of
     * one, and {@code \DDD} for any octet.
     *
     * @param text   absolute if it ends with a dot
     * @param origin the parent of a relative name; null if the name must be absolute
     * @throws IllegalArgumentException if it is not a valid name
     */
    static DomainName parse(String text, DomainName origin) {
        if (text.equals(".")) {
            return ROOT;
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException("an empty name");
        }
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        byte[] wire = new byte[octets.length + 2];
        int length = 1;
        int label = 0;
        for (int i = 0; i < octets.length; i++) {
            if (octets[i] == '.') {
                wire[label] = labelLength(text, length - label - 1);
                label = length++;
            } else if (octets[i] == '\\') {
                int escaped = escaped(text, octets, i + 1);
                wire[length++] = lower(escaped);
                i += isDigit(octets[i + 1]) ? 3 : 1;
            } else {
                wire[length++] = lower(octets[i] & 0xFF);
            }
        }
        boolean isAbsolute = length - label == 1;
        if (!isAbsolute) {
            wire[label] = labelLength(text, length - label - 1);
            if (origin == null) {
                throw new IllegalArgumentException("'" + text + "' is relative, and there is no $ORIGIN");
            }
        }
        byte[] rest = isAbsolute ? ROOT.wire : origin.wire;
        int own = isAbsolute ? length - 1 : length;
        if (own + rest.length > LONGEST) {
            throw new IllegalArgumentException("'" + text + "' is longer than " + LONGEST + " octets");
        }
        byte[] whole = Arrays.copyOf(wire, own + rest.length);
        System.arraycopy(rest, 0, whole, own, rest.length);
        return new DomainName(whole);
    }

    private static byte labelLength(String text, int length) {
        if (length == 0 || length > LONGEST_LABEL) {
            throw new IllegalArgumentException("'" + text + "' has a label of " + length + " octets, 1 to "
                    + LONGEST_LABEL + " are allowed");
        }
        return (byte) length;
    }

    /** {@return the octet of the escape whose backslash precedes this index} */
    static int escaped(String text, byte[] octets, int at) {
        boolean isNumber = at < octets.length && isDigit(octets[at]);
        if (at >= octets.length || isNumber && (at + 2 >= octets.length || !isDigit(octets[at + 1])
                || !isDigit(octets[at + 2]))) {
            throw new IllegalArgumentException("'" + text + "' ends in the middle of an escape, or has a wrong one");
        }
        int octet = !isNumber ? octets[at] & 0xFF
                : (octets[at] - '0') * 100 + (octets[at + 1] - '0') * 10 + octets[at + 2] - '0';
        if (octet > 0xFF) {
            throw new IllegalArgumentException("'" + text + "' escapes " + octet + ", which is not an octet");
        }
        return octet;
    }

    static boolean isDigit(byte octet) {
        return octet >= '0' && octet <= '9';
    }

    /** {@return its length in octets} */
    int length() {
        return wire.length;
    }

    void writeTo(ByteBuffer message) {
        message.put(wire);
    }

    /** {@return the name without its first label; null for the root} */
    DomainName parent() {
        return wire.length == 1 ? null : new DomainName(Arrays.copyOfRange(wire, wire[0] + 1, wire.length));
    }

    /** {@return whether it is equal to another name, or below it} */
    boolean isIn(DomainName other) {
        for (DomainName name = this; name != null; name = name.parent()) {
            if (name.equals(other)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DomainName name && Arrays.equals(wire, name.wire);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(wire);
    }

    /** {@return for example {@code www.example.org.}} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int label = 0; wire[label] != 0; label += 1 + wire[label]) {
            for (int i = label + 1; i <= label + wire[label]; i++) {
                int octet = wire[i] & 0xFF;
                if (octet <= ' ' || octet >= 0x7F) {
                    text.append('\\').append(octet / 100).append(octet / 10 % 10).append(octet % 10);
                } else {
                    text.append(octet == '.' || octet == '\\' ? "\\" : "").append((char) octet);
                }
            }
            text.append('.');
        }
        return text.isEmpty() ? "." : text.toString();
    }
}
