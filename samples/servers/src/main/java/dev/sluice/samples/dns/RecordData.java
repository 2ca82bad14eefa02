package dev.sluice.samples.dns;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The data of records, from the words of a master file (RFC 1035 section 5.1, RFC 3596 section 2.4). */
final class RecordData {

    private static final int LONGEST = 0xFFFF;
    private static final int LONGEST_STRING = 0xFF;
    private static final int IPV6_OCTETS = 16;
    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    private static final Pattern IPV6 = Pattern.compile("(?=.*:)[0-9a-fA-F:][0-9a-fA-F:.]*");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})([smhdw]?)", Pattern.CASE_INSENSITIVE);

    private RecordData() {
    }

    /**
     * Parses the data.
     *
     * @param type   of the record
     * @param words  the words after the type
     * @param origin of names that are not absolute; null if there is none
     * @return the data in the form of the type
     * @throws IllegalArgumentException if it is invalid for the type; the message says why
     */
    static byte[] parse(RecordType type, List<String> words, DomainName origin) {
        ByteBuffer data = ByteBuffer.allocate(LONGEST);
        switch (type) {
            case A -> data.put(ipv4(only(words)));
            case AAAA -> data.put(ipv6(only(words)));
            case NS, CNAME, PTR -> DomainName.parse(only(words), origin).writeTo(data);
            case MX -> {
                requireCount(words, 2, "a preference and a name");
                data.putShort((short) number(words.get(0), 0xFFFF));
                DomainName.parse(words.get(1), origin).writeTo(data);
            }
            case TXT -> strings(words, data);
            case SOA -> authority(words, origin, data);
        }
        byte[] bytes = new byte[data.position()];
        data.flip().get(bytes);
        return bytes;
    }

    private static String only(List<String> words) {
        requireCount(words, 1, "one value");
        return words.get(0);
    }

    private static void requireCount(List<String> words, int count, String what) {
        if (words.size() != count) {
            throw new IllegalArgumentException(what + " expected, found " + words.size() + " words");
        }
    }

    static byte[] ipv4(String text) {
        Matcher parts = IPV4.matcher(text);
        byte[] address = new byte[4];
        boolean fits = parts.matches();
        for (int i = 0; fits && i < address.length; i++) {
            int part = Integer.parseInt(parts.group(i + 1));
            fits = part <= 0xFF;
            address[i] = (byte) part;
        }
        if (!fits) {
            throw new IllegalArgumentException("'" + text + "' is not an IPv4 address");
        }
        return address;
    }

    static byte[] ipv6(String text) {
        try {
            if (IPV6.matcher(text).matches()) {
                // Java parses a text with a colon as an address, without a lookup.
                byte[] address = InetAddress.getByName(text).getAddress();
                return address.length == IPV6_OCTETS ? address : mapped(address);
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("'" + text + "' is not an IPv6 address", e);
        }
        throw new IllegalArgumentException("'" + text + "' is not an IPv6 address");
    }

    /** Returns an IPv4-mapped address, since Java converts {@code ::ffff:192.0.2.1} to an IPv4 address. */
    private static byte[] mapped(byte[] ipv4) {
        return ByteBuffer.allocate(IPV6_OCTETS).position(10).putShort((short) 0xFFFF).put(ipv4).array();
    }

    private static long number(String text, long maximum) {
        long value = text.matches("\\d{1,10}") ? Long.parseLong(text) : -1;
        if (value < 0 || value > maximum) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 0 to " + maximum);
        }
        return value;
    }

    /** {@return whether it looks like a time, such as {@code 3600} or {@code 1h}} */
    static boolean isTime(String text) {
        return TIME.matcher(text).matches();
    }

    /** {@return the time in seconds} */
    static int time(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time in seconds, or in s, m, h, d or w");
        }
        long unit = switch (time.group(2).toLowerCase(Locale.ROOT)) {
            case "m" -> 60;
            case "h" -> 3600;
            case "d" -> 86_400;
            case "w" -> 604_800;
            default -> 1;
        };
        long seconds = Long.parseLong(time.group(1)) * unit;
        if (seconds > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("'" + text + "' is longer than 68 years");
        }
        return (int) seconds;
    }

    private static void strings(List<String> words, ByteBuffer data) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException("at least one string expected");
        }
        for (String word : words) {
            byte[] string = unescaped(word);
            if (string.length > LONGEST_STRING) {
                throw new IllegalArgumentException("a string of " + string.length + " octets, at most "
                        + LONGEST_STRING + " are allowed: divide it");
            }
            if (data.remaining() <= string.length) {
                throw new IllegalArgumentException("more than " + LONGEST + " octets of strings");
            }
            data.put((byte) string.length).put(string);
        }
    }

    private static byte[] unescaped(String word) {
        byte[] octets = word.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream string = new ByteArrayOutputStream();
        for (int i = 0; i < octets.length; i++) {
            if (octets[i] != '\\') {
                string.write(octets[i]);
            } else {
                int octet = DomainName.escaped(word, octets, i + 1);
                string.write(octet);
                i += DomainName.isDigit(octets[i + 1]) ? 3 : 1;
            }
        }
        return string.toByteArray();
    }

    private static void authority(List<String> words, DomainName origin, ByteBuffer data) {
        requireCount(words, 7, "two names, a serial number, and four times");
        DomainName.parse(words.get(0), origin).writeTo(data);
        DomainName.parse(words.get(1), origin).writeTo(data);
        data.putInt((int) number(words.get(2), 0xFFFF_FFFFL));
        for (String time : words.subList(3, 7)) {
            data.putInt(time(time));
        }
    }
}
