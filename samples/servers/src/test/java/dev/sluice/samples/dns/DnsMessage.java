package dev.sluice.samples.dns;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The client's side of the protocol, written apart from the server's. */
record DnsMessage(int id, int flags, String question, List<String> answers, List<String> authority,
        List<String> additional) {

    static final int A = 1;
    static final int SOA = 6;
    static final int TXT = 16;
    static final int AAAA = 28;
    static final int OPT = 41;
    static final int ANY = 255;
    static final int RECURSION_DESIRED = 0x0100;

    /** {@return a query of the class IN} */
    static byte[] query(int id, String name, int type) {
        return query(id, RECURSION_DESIRED, name, type, 1, -1, 0);
    }

    /** {@return a query; with an OPT record unless the payload is negative} */
    static byte[] query(int id, int flags, String name, int type, int recordClass, int payload, int version) {
        ByteBuffer message = ByteBuffer.allocate(600);
        message.putShort((short) id).putShort((short) flags);
        message.putShort((short) 1).putShort((short) 0).putShort((short) 0).putShort((short) (payload < 0 ? 0 : 1));
        for (String label : name.isEmpty() ? new String[0] : name.split("\\.")) {
            message.put((byte) label.length()).put(label.getBytes(US_ASCII));
        }
        message.put((byte) 0).putShort((short) type).putShort((short) recordClass);
        if (payload >= 0) {
            message.put((byte) 0).putShort((short) OPT).putShort((short) payload);
            message.putInt(version << 16).putShort((short) 0);
        }
        byte[] octets = new byte[message.position()];
        message.flip().get(octets);
        return octets;
    }

    /** Reads a reply to its last octet; records are {@code name type ttl data in hexadecimal}. */
    static DnsMessage parse(byte[] octets) {
        ByteBuffer message = ByteBuffer.wrap(octets);
        int id = message.getShort() & 0xFFFF;
        int flags = message.getShort() & 0xFFFF;
        int[] counts = new int[4];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = message.getShort() & 0xFFFF;
        }
        assertTrue(counts[0] <= 1, "more than one question");
        String question = counts[0] == 0 ? "" : name(message) + " " + message.getShort() + " " + message.getShort();
        DnsMessage reply = new DnsMessage(id, flags, question, records(message, counts[1]), records(message, counts[2]),
                records(message, counts[3]));
        assertFalse(message.hasRemaining(), "octets after the end");
        return reply;
    }

    private static List<String> records(ByteBuffer message, int count) {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = name(message);
            int type = message.getShort() & 0xFFFF;
            int recordClass = message.getShort() & 0xFFFF;
            long ttl = message.getInt() & 0xFFFF_FFFFL;
            byte[] data = new byte[message.getShort() & 0xFFFF];
            message.get(data);
            records.add(name + " " + type + (type == OPT ? " " + recordClass : "") + " " + ttl + " "
                    + HexFormat.of().formatHex(data));
        }
        return records;
    }

    private static String name(ByteBuffer message) {
        StringBuilder name = new StringBuilder();
        int back = -1;
        for (int length = message.get() & 0xFF; length != 0; length = message.get() & 0xFF) {
            if (length >= 0xC0) {
                int target = (length & 0x3F) << 8 | message.get() & 0xFF;
                back = back < 0 ? message.position() : back;
                assertTrue(target < message.position() - 2, "a pointer that leads forward");
                message.position(target);
            } else {
                byte[] label = new byte[length];
                message.get(label);
                name.append(new String(label, US_ASCII)).append('.');
            }
        }
        if (back >= 0) {
            message.position(back);
        }
        return name.isEmpty() ? "." : name.toString();
    }

    int code() {
        return flags & 0xF;
    }

    boolean isTruncated() {
        return (flags & 0x0200) != 0;
    }

    boolean isAuthoritative() {
        return (flags & 0x0400) != 0;
    }
}
