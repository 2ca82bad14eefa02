package dev.sluice.benchmarks.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Packets of Gnutella 0.4 that have a number: pings, and queries for a text that is made of the number. So each byte of
 * a packet that comes back follows from its number.
 */
final class PacketFormat {

    static final int HEADER = 23;

    private static final int PING = 0x00;
    private static final int QUERY = 0x80;
    private static final int TYPE = 16;
    private static final int TTL = 17;
    private static final int HOPS = 18;
    private static final int LENGTH = 19;
    /** The least speed before the text, and the zero behind it. */
    private static final int AROUND_TEXT = 3;
    private static final byte FIRST_TTL = 5;
    /** Of all packets from here; what the router itself makes up begins otherwise. */
    private static final long OURS = 0x5EDA_5EDA_5EDA_5EDAL;
    private static final int HUNDRED = 100;
    private static final int LETTERS = 26;

    private final int queryPercent;
    private final int queryLength;
    private final byte[] query;

    PacketFormat(Packets packets) {
        queryPercent = packets.queryPercent();
        queryLength = packets.text() + AROUND_TEXT;
        query = new byte[queryLength];
    }

    /** {@return the greeting of the connecting side} */
    static ByteBuffer greeting() {
        return ByteBuffer.wrap("GNUTELLA CONNECT/0.4\n\n".getBytes(StandardCharsets.US_ASCII));
    }

    /** {@return the answer to the greeting} */
    static ByteBuffer welcome() {
        return ByteBuffer.wrap("GNUTELLA OK\n\n".getBytes(StandardCharsets.US_ASCII));
    }

    /** {@return the most bytes of a packet} */
    int longest() {
        return HEADER + queryLength;
    }

    /** Spread evenly over a hundred packets, always the same ones. */
    private boolean isQuery(long number) {
        return number % HUNDRED * queryPercent % HUNDRED < queryPercent;
    }

    /**
     * Writes a packet.
     *
     * @param number from 0 on
     * @param to     has room for it
     */
    void write(long number, ByteBuffer to) {
        boolean isQuery = isQuery(number);
        to.order(ByteOrder.BIG_ENDIAN).putLong(OURS).putLong(number).put((byte) (isQuery ? QUERY : PING))
                .put(FIRST_TTL).put((byte) 0).putInt(Integer.reverseBytes(isQuery ? queryLength : 0));
        if (isQuery) {
            to.put(payload(number));
        }
    }

    private byte[] payload(long number) {
        // Both ends of the text are zeros: the least speed, and its end.
        Arrays.fill(query, 2, queryLength - 1, (byte) ('a' + number % LETTERS));
        return query;
    }

    /**
     * {@return how long the packet is that begins at the position; 0 if its header has not come yet}
     *
     * @throws IOException if there can be no such packet
     */
    static int length(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() < HEADER) {
            return 0;
        }
        int length = Integer.reverseBytes(bytes.getInt(bytes.position() + LENGTH));
        if (length < 0 || length > bytes.capacity() - HEADER) {
            throw new IOException("the router sends a packet of " + length + " bytes");
        }
        return HEADER + length;
    }

    /**
     * {@return the number of a packet that comes back, -1 if it is one of the router's own}
     *
     * @param bytes from where it begins
     * @param size  the number of bytes that it has
     * @throws IOException if it is not what was sent
     */
    long number(ByteBuffer bytes, int size) throws IOException {
        int at = bytes.position();
        if (bytes.getLong(at) != OURS) {
            return -1;
        }
        long number = bytes.getLong(at + Long.BYTES);
        boolean isQuery = isQuery(number);
        boolean right = number >= 0 && (bytes.get(at + TYPE) & 0xFF) == (isQuery ? QUERY : PING)
                && bytes.get(at + TTL) == FIRST_TTL - 1 && bytes.get(at + HOPS) == 1
                && size == HEADER + (isQuery ? queryLength : 0);
        if (right && isQuery) {
            byte[] payload = payload(number);
            right = bytes.slice(at + HEADER, queryLength).mismatch(ByteBuffer.wrap(payload)) < 0;
        }
        if (!right) {
            throw new IOException("packet " + number + " is not what was sent");
        }
        return number;
    }
}
