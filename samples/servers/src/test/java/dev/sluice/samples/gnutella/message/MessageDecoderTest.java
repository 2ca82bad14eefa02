package dev.sluice.samples.gnutella.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages in streams. */
@Tag(Depth.IN_QUICK)
class MessageDecoderTest {

    private final List<Message> messages = new ArrayList<>();
    private int unknown;
    private final MessageDecoder decoder = new MessageDecoder(messages::add, () -> unknown++);

    private static byte[] bytes(Message message) {
        ByteBuffer bytes = ByteBuffer.allocate(message.size());
        message.send(bytes);
        return bytes.array();
    }

    @Test
    void readsEachField() throws Exception {
        byte[] push = new byte[26];
        push[0] = 0x55;
        push[15] = 0x66;
        decoder.decode(ByteBuffer.wrap(WireBytes.message(0x40, 5, 200, push)));
        Message message = messages.get(0);
        assertEquals(MessageType.PUSH, message.type());
        assertEquals(5, message.ttl());
        assertEquals(200, message.hops());
        assertEquals(26, message.length());
        assertEquals(new Guid(0xF0F1F2F3F4F5F6F7L, 0xF8F9FAFBFCFDFEFFL), message.guid());
        assertEquals(new Guid(0x5500000000000000L, 0x66L), message.servent());
    }

    @Test
    void hitsHaveTheirServentAtTheEnd() throws Exception {
        byte[] hits = new byte[11 + 5 + 16];
        hits[16] = 0x77;
        hits[31] = 0x11;
        decoder.decode(ByteBuffer.wrap(WireBytes.message(0x81, 5, 2, hits)));
        assertEquals(new Guid(0x7700000000000000L, 0x11L), messages.get(0).servent());
    }

    @Test
    void aPongTellsAnAddress() throws Exception {
        byte[] pong = {(byte) 0xCA, 0x18, 127, 0, 0, (byte) 255, 0, 0, 0, 0, 0, 0, 0, 0};
        decoder.decode(ByteBuffer.wrap(WireBytes.message(0x01, 1, 0, pong)));
        assertEquals("/127.0.0.255:6346", messages.get(0).address().toString());
    }

    @ParameterizedTest
    @CsvSource({
        // Alone, after another extension, and with more behind it; a long length.
        "c3813650{a}, true", "c302444c420102813650{a}, true",
        "c3013650{a}814440, true", "c381368050{a}, true", "c3813651{a}ff, true",
        // None, cut, encoded, compressed, too short, of another name; what is no extension.
        "'', false", "c3, false", "c381, false", "c38136, false", "c3813650, false", "c3813650{c}, false",
        "c3c13650{a}, false", "c3a13650{a}, false", "c381364f{c}, false", "c3813750{a}, false", "c0813650{a}, false",
        "c38136808080{a}, false", "c3803650{a}, false", "c38f3650{a}, false"})
    void aPongTellsALongAddressByAnExtension(String block, boolean found) throws Exception {
        String address = "20010db8000000000000000000000001";
        String payload = "ca187f000000" + "00".repeat(8)
                + block.replace("{a}", address).replace("{c}", address.substring(2));
        decoder.decode(ByteBuffer.wrap(WireBytes.message(0x01, 1, 0, HexFormat.of().parseHex(payload))));
        assertEquals(found ? new InetSocketAddress("2001:db8::1", 6346) : null, messages.get(0).address());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 22, 23, 24, 100, 100_000})
    void findsMessagesHoweverTheStreamIsCut(int size) throws Exception {
        Random random = new Random(size);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        List<byte[]> expected = new ArrayList<>();
        int expectedUnknown = 0;
        int[] types = {0x00, 0x01, 0x02, 0x40, 0x80, 0x81, 0x31};
        int[] minimum = {0, 14, 2, 26, 3, 27, 0};
        for (int i = 0; i < 200; i++) {
            int kind = random.nextInt(types.length);
            byte[] payload = new byte[minimum[kind] + random.nextInt(40)];
            random.nextBytes(payload);
            byte[] message = WireBytes.message(types[kind], random.nextInt(256), random.nextInt(256), payload);
            stream.write(message);
            if (types[kind] == 0x31) {
                expectedUnknown++;
            } else {
                expected.add(message);
            }
        }
        byte[] all = stream.toByteArray();
        for (int at = 0; at < all.length; at += size) {
            decoder.decode(ByteBuffer.wrap(all, at, Math.min(size, all.length - at)));
        }
        assertEquals(expectedUnknown, unknown);
        assertEquals(expected.size(), messages.size());
        for (int i = 0; i < expected.size(); i++) {
            assertArrayEquals(expected.get(i), bytes(messages.get(i)));
        }
    }

    @ParameterizedTest
    @CsvSource({"0x80, 65536, true", "0x81, 65536, true", "0x31, 65536, true", "0x31, 0, true", "0x00, 0, true",
        "0x00, 4096, true", "0x01, 14, true", "0x02, 2, true", "0x40, 26, true", "0x80, 3, true", "0x81, 27, true",
        "0x00, 4097, false", "0x01, 13, false", "0x02, 1, false", "0x40, 25, false", "0x80, 2, false",
        "0x81, 26, false"})
    void knowsWhichLengthsAreImpossible(String type, int length, boolean possible) throws Exception {
        byte[] message = WireBytes.header(Integer.decode(type), 1, 0, length);
        if (possible) {
            decoder.decode(ByteBuffer.wrap(message));
            decoder.decode(ByteBuffer.allocate(length));
            assertEquals(1, messages.size() + unknown);
        } else {
            OutOfStepException thrown =
                    assertThrows(OutOfStepException.class, () -> decoder.decode(ByteBuffer.wrap(message)));
            assertEquals(false, thrown.isTooLong());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {65_537, 1 << 30, Integer.MIN_VALUE, -1})
    void nothingIsLongerThan64KiB(int length) {
        for (int type : new int[] {0x00, 0x01, 0x02, 0x31, 0x40, 0x80, 0x81}) {
            MessageDecoder another = new MessageDecoder(messages::add, () -> unknown++);
            OutOfStepException thrown = assertThrows(OutOfStepException.class,
                    () -> another.decode(ByteBuffer.wrap(WireBytes.header(type, 1, 0, length))));
            assertTrue(thrown.isTooLong(), thrown::getMessage);
            assertTrue(thrown.getMessage().contains(Integer.toUnsignedString(length)), thrown::getMessage);
        }
    }

    @Test
    void aMessageIsSentOnOneHopFurtherAndStaysAsItIs() throws Exception {
        byte[] before = WireBytes.message(0x80, 5, 2, new byte[] {0, 0, 'a', 0});
        decoder.decode(ByteBuffer.wrap(before));
        ByteBuffer target = ByteBuffer.allocate(100);
        target.put((byte) 1);
        messages.get(0).sendOn(4, target);
        byte[] expected = before.clone();
        expected[17] = 4;
        expected[18] = 3;
        byte[] sent = new byte[before.length];
        target.flip().position(1).get(sent);
        assertArrayEquals(expected, sent);
        assertArrayEquals(before, bytes(messages.get(0)));
    }

    @Test
    void hopsNeverBecomeFewer() throws Exception {
        decoder.decode(ByteBuffer.wrap(WireBytes.message(0x00, 5, 255, new byte[0])));
        ByteBuffer target = ByteBuffer.allocate(23);
        messages.get(0).sendOn(4, target);
        assertEquals((byte) 255, target.get(18));
    }
}
