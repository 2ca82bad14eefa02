package dev.sluice.samples.gnutella.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.sluice.testing.Depth;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a router says by itself, byte by byte. */
@Tag(Depth.IN_QUICK)
class MessagesTest {

    private static final Guid GUID = new Guid(0xF0F1F2F3F4F5F6F7L, 0xF8F9FAFBFCFDFEFFL);

    private static byte[] bytes(Message message) {
        ByteBuffer bytes = ByteBuffer.allocate(message.size());
        message.send(bytes);
        return bytes.array();
    }

    @Test
    void aPingHasNoPayload() {
        assertArrayEquals(WireBytes.message(0x00, 7, 0, new byte[0]), bytes(Messages.ping(GUID, 7)));
    }

    @Test
    void aPongHasThePortInLittleEndianAndTheAddressInOrder() throws Exception {
        byte[] payload = new byte[14];
        System.arraycopy(new byte[] {(byte) 0xCA, 0x18, 10, 1, 2, (byte) 200}, 0, payload, 0, 6);
        InetAddress address = InetAddress.getByAddress(new byte[] {10, 1, 2, (byte) 200});
        assertArrayEquals(WireBytes.message(0x01, 3, 0, payload),
                bytes(Messages.pong(GUID, 3, address, 6346)));
    }

    @Test
    void aPongTellsALongAddressByAnExtension() throws Exception {
        byte[] payload = HexFormat.of().parseHex("ca18" + "7f000000" + "00".repeat(8) + "c3" + "81" + "36" + "50"
                + "20010db8000000000000000000000001");
        assertArrayEquals(WireBytes.message(0x01, 3, 0, payload),
                bytes(Messages.pong(GUID, 3, InetAddress.getByName("2001:db8::1"), 6346)));
    }

    @Test
    void aByeGoesNoFurtherThanToANeighbour() {
        byte[] bye = bytes(Messages.bye(502, "full"));
        assertArrayEquals(WireBytes.message(0x02, 1, 0, "\u00F6\u0001full\0".getBytes(StandardCharsets.ISO_8859_1)),
                concat(WireBytes.message(0x02, 1, 0, new byte[0]), bye));
    }

    /** The GUID of a goodbye is any one. */
    private static byte[] concat(byte[] start, byte[] bye) {
        byte[] result = bye.clone();
        System.arraycopy(start, 0, result, 0, Guid.BYTES);
        return result;
    }

    @Test
    void newGuidsAreMarkedAndDiffer() {
        Guid guid = Guid.random();
        assertEquals(0xFF, guid.low() >>> 56);
        assertEquals(0, guid.low() & 0xFF);
        assertNotEquals(guid, Guid.random());
    }
}
