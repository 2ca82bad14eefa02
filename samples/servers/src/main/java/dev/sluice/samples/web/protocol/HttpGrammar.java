package dev.sluice.samples.web.protocol;

/** The character classes and small productions of RFC 9110 and RFC 3986. */
final class HttpGrammar {

    static final byte CR = '\r';
    static final byte LF = '\n';
    static final byte SP = ' ';
    static final byte HTAB = '\t';

    private static final boolean[] TOKEN = letters("!#$%&'*+-.^_`|~");
    private static final boolean[] REG_NAME = letters("-._~!$&'()*+,;=");

    private HttpGrammar() {
    }

    private static boolean[] letters(String others) {
        boolean[] set = new boolean[Byte.MAX_VALUE + 1];
        for (char c = 0; c < set.length; c++) {
            set[c] = c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || others.indexOf(c) >= 0;
        }
        return set;
    }

    /** RFC 9110 section 5.6.2. */
    static boolean isToken(byte octet) {
        return octet >= 0 && TOKEN[octet];
    }

    static boolean isToken(byte[] octets, int from, int to) {
        for (int at = from; at < to; at++) {
            if (!isToken(octets[at])) {
                return false;
            }
        }
        return from < to;
    }

    /** What no line may contain: all control characters but the tab (RFC 9110 section 5.5). */
    static boolean isControl(byte octet) {
        return octet >= 0 && octet < SP && octet != HTAB || octet == 0x7F;
    }

    /** Checks the name of a field that is to be sent. */
    static void requireName(String name) {
        boolean token = !name.isEmpty();
        for (int i = 0; i < name.length(); i++) {
            token &= name.charAt(i) <= Byte.MAX_VALUE && isToken((byte) name.charAt(i));
        }
        if (!token) {
            throw new IllegalArgumentException("the name of a field is not a token");
        }
    }

    /**
     * Checks the value of a field that is to be sent. A line end would begin another field, or another reply. Of a
     * character beyond ASCII only the last eight bits are sent, which may be a line end.
     */
    static void requireValue(String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c > Byte.MAX_VALUE || isControl((byte) c)) {
                throw new IllegalArgumentException(
                        "the field " + name + " must not have the character 0x" + Integer.toHexString(c));
            }
        }
    }

    static boolean isBlank(byte octet) {
        return octet == SP || octet == HTAB;
    }

    static boolean isDigit(byte octet) {
        return octet >= '0' && octet <= '9';
    }

    /** The value of a hexadecimal digit, or -1. */
    static int hex(byte octet) {
        return octet < 0 ? -1 : Character.digit(octet, 16);
    }

    /** The octet that a per cent sign and two digits stand for, or -1. */
    static int encoded(byte[] octets, int at, int to) {
        int high = to - at > 2 ? hex(octets[at + 1]) : -1;
        int low = to - at > 2 ? hex(octets[at + 2]) : -1;
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    static int indexOf(byte[] octets, byte wanted, int from, int to) {
        for (int at = from; at < to; at++) {
            if (octets[at] == wanted) {
                return at;
            }
        }
        return -1;
    }

    /** Whether the octets are this text, which has no upper case, in whatever case. */
    static boolean equalsIgnoreCase(byte[] octets, int from, int to, String lowerCase) {
        if (to - from != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            int octet = octets[from + i];
            if ((octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** {@code uri-host [ ":" port ]}, perhaps empty (RFC 9110 section 7.2, RFC 3986 section 3.2). */
    static boolean isHost(byte[] octets, int from, int to) {
        int at = from;
        if (at < to && octets[at] == '[') {
            at++;
            while (at < to && (hex(octets[at]) >= 0 || octets[at] == ':' || octets[at] == '.')) {
                at++;
            }
            if (at == to || octets[at++] != ']') {
                return false;
            }
        } else {
            while (at < to && octets[at] != ':') {
                boolean encoded = octets[at] == '%' && encoded(octets, at, to) >= 0;
                if (!encoded && (octets[at] < 0 || !REG_NAME[octets[at]])) {
                    return false;
                }
                at += encoded ? 3 : 1;
            }
        }
        if (at < to && octets[at++] != ':') {
            return false;
        }
        while (at < to && isDigit(octets[at])) {
            at++;
        }
        return at == to;
    }

    /** Whether a comma-separated list, which may be null, has this member in whatever case. */
    static boolean lists(String list, String member) {
        if (list != null) {
            for (String each : list.split(",")) {
                if (each.trim().equalsIgnoreCase(member)) {
                    return true;
                }
            }
        }
        return false;
    }
}
