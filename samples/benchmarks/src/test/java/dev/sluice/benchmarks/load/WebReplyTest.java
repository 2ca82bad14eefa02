package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reply that is not what was asked for is found out, however it comes. */
class WebReplyTest {

    private static final int SIZE = 5_000;
    private static final int PLACE = 60_000;
    private static final String HEAD = "HTTP/1.1 200 OK\r\nServer: x\r\ncontent-LENGTH:  5000\r\n\r\n";
    private static final String REFUSAL = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\n"
            + "Content-Length: 4\r\nConnection: Close\r\n\r\nbusy";

    private final Pattern pattern = new Pattern(SIZE);
    private final WebReply reply = new WebReply(pattern);

    @BeforeEach
    void begin() {
        reply.begin(new Page("/a", SIZE, PLACE));
    }

    private byte[] content() {
        byte[] content = new byte[SIZE];
        pattern.view().get(PLACE, content);
        return content;
    }

    private static byte[] joined(String head, byte[] content) {
        return ByteBuffer.allocate(head.length() + content.length)
                .put(head.getBytes(StandardCharsets.ISO_8859_1)).put(content).array();
    }

    /** {@return whether the last piece was its end} */
    private boolean take(byte[] all, int piece) throws IOException {
        boolean isOver = false;
        for (int at = 0; at < all.length; at += piece) {
            assertFalse(isOver, "over before its end");
            isOver = reply.take(ByteBuffer.wrap(all, at, Math.min(piece, all.length - at)));
        }
        return isOver;
    }

    private String refused(byte[] all) {
        return assertThrows(IOException.class, () -> take(all, all.length)).getMessage();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 52, 53, 1_000, 100_000})
    void takesAFileHoweverItComes(int piece) throws IOException {
        assertTrue(reply.isUntouched());
        assertTrue(take(joined(HEAD, content()), piece));

        assertEquals(WebReply.OK, reply.status());
        assertFalse(reply.isUntouched());
        assertFalse(reply.closes());
        assertEquals(0, reply.retryAfter());
    }

    @Test
    void takesOneAfterTheOther() throws IOException {
        assertTrue(take(joined(REFUSAL, new byte[0]), 3));
        begin();
        assertTrue(take(joined(HEAD, content()), SIZE));
        assertEquals(WebReply.OK, reply.status());
        assertFalse(reply.closes());
        assertEquals(0, reply.retryAfter());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 11, 1_000})
    void takesARefusal(int piece) throws IOException {
        assertTrue(take(joined(REFUSAL, new byte[0]), piece));

        assertEquals(WebReply.UNAVAILABLE, reply.status());
        assertEquals(7, reply.retryAfter());
        assertTrue(reply.closes());
    }

    @Test
    void takesAnythingWhereAnythingWillDo() throws IOException {
        reply.begin(new Page("/a", SIZE, Page.ANYTHING));
        assertTrue(take(joined(HEAD, new byte[SIZE]), 999));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, SIZE / 2, SIZE - 1})
    void seesAWrongByte(int place) {
        byte[] content = content();
        content[place]++;
        assertEquals("the reply to GET /a: byte " + place + " is wrong", refused(joined(HEAD, content)));
    }

    @Test
    void waitsForTheLastByte() throws IOException {
        byte[] all = joined(HEAD, content());
        assertFalse(reply.take(ByteBuffer.wrap(all, 0, all.length - 1)));
        assertTrue(reply.take(ByteBuffer.wrap(all, all.length - 1, 1)));
    }

    @Test
    void seesWhatIsTooMuch() {
        assertTrue(refused(joined(HEAD, new byte[SIZE + 1])).contains("more came"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 404 Not Found", "HTTP/1.0 200 OK", "\u0000", "HTTP/1.1 ", "HTTP/1.1 2000 OK"})
    void seesAnotherStatus(String line) {
        assertEquals("the reply to GET /a: " + line, refused(joined(line + "\r\nContent-Length: 5000\r\n\r\n",
                content())));
    }

    @Test
    void seesAnotherLength() {
        assertTrue(refused(joined(HEAD.replace("5000", "4999"), new byte[0])).contains("4999, not 5000"));
        begin();
        assertTrue(refused(joined(HEAD.replace("5000", "99999999999999"), new byte[0])).contains("not 5000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n"})
    void wantsALength(String head) {
        assertTrue(refused(joined(head, new byte[0])).contains("does not tell its length"));
    }

    @Test
    void doesNotTakeAHeadWithoutEnd() {
        assertTrue(refused(joined("HTTP/1.1 200 OK\r\nX: " + "x".repeat(5_000), new byte[0])).contains("the head"));
    }
}
