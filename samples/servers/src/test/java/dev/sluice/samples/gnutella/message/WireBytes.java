package dev.sluice.samples.gnutella.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Messages byte by byte, as the protocol describes them. */
final class WireBytes {

    private WireBytes() {
    }

    static byte[] message(int type, int ttl, int hops, byte[] payload) {
        return header(type, ttl, hops, payload.length, payload);
    }

    /** Whatever the header says, the payload follows. */
    static byte[] header(int type, int ttl, int hops, int length, byte... payload) {
        ByteBuffer bytes = ByteBuffer.allocate(23 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 16; i++) {
            bytes.put((byte) (0xF0 + i));
        }
        return bytes.put((byte) type).put((byte) ttl).put((byte) hops).putInt(length).put(payload).array();
    }
}
