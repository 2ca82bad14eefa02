package dev.sluice.samples.gnutella;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

/**
 * A message as the texts of the protocol describe it, for the other side of a router: nothing of it comes from ours.
 *
 * @param guid    in hexadecimal
 * @param type    the payload descriptor
 * @param ttl     the same
 * @param hops    the same
 * @param payload in hexadecimal
 */
record WirePacket(String guid, int type, int ttl, int hops, String payload) {

    static final int PING = 0x00;
    static final int PONG = 0x01;
    static final int BYE = 0x02;
    static final int PUSH = 0x40;
    static final int QUERY = 0x80;
    static final int HITS = 0x81;

    private static final Random RANDOM = new Random();

    static String newGuid() {
        byte[] guid = new byte[16];
        RANDOM.nextBytes(guid);
        return HexFormat.of().formatHex(guid);
    }

    static WirePacket ping(int ttl, int hops) {
        return new WirePacket(newGuid(), PING, ttl, hops, "");
    }

    static WirePacket query(int ttl, int hops, String text) {
        return new WirePacket(newGuid(), QUERY, ttl, hops,
                "0000" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.ISO_8859_1)) + "00");
    }

    /** A pong for a ping: the port in little-endian, the address, and no files. */
    static WirePacket pong(WirePacket ping, int ttl, InetSocketAddress address) {
        int port = address.getPort();
        return new WirePacket(ping.guid, PONG, ttl, 0, String.format("%02x%02x", port & 0xFF, port >> 8)
                + HexFormat.of().formatHex(address.getAddress().getAddress()) + "00".repeat(8));
    }

    /** Hits without results: their count, port, address, speed, and who has them. */
    static WirePacket hits(WirePacket query, int ttl, String servent) {
        return new WirePacket(query.guid, HITS, ttl, 0, "00" + "ca18" + "7f000001" + "00".repeat(4) + servent);
    }

    static WirePacket push(String servent, int ttl) {
        return new WirePacket(newGuid(), PUSH, ttl, 0, servent + "01000000" + "7f000001" + "ca18");
    }

    /** {@return as it comes when it has been sent on} */
    WirePacket hop() {
        return withTtl(ttl - 1, hops + 1);
    }

    WirePacket withTtl(int newTtl, int newHops) {
        return new WirePacket(guid, type, newTtl, newHops, payload);
    }

    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HexFormat.of().parseHex(guid));
        out.write(type);
        out.write(ttl);
        out.write(hops);
        byte[] content = HexFormat.of().parseHex(payload);
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            out.write(content.length >>> shift);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    /** {@return the next one of a stream; null if it has ended before one} */
    static WirePacket read(DataInputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        byte[] header = new byte[23];
        header[0] = (byte) first;
        in.readFully(header, 1, 22);
        int length = header[19] & 0xFF | (header[20] & 0xFF) << 8 | (header[21] & 0xFF) << 16 | header[22] << 24;
        byte[] content = new byte[length];
        in.readFully(content);
        HexFormat hex = HexFormat.of();
        return new WirePacket(hex.formatHex(Arrays.copyOf(header, 16)), header[16] & 0xFF, header[17] & 0xFF,
                header[18] & 0xFF, hex.formatHex(content));
    }

    /** {@return the code of a goodbye} */
    int byeCode() {
        byte[] content = HexFormat.of().parseHex(payload);
        return content[0] & 0xFF | (content[1] & 0xFF) << 8;
    }
}
