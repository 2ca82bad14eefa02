package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that does not send the file that was asked for is found out. */
class FileRequestTaskTest {

    private static final int SIZE = 5_000;
    private static final int HEAD_AND_A_BYTE = 42;
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n";

    private final Measurement measurement = new Measurement(ProcessHandle.current().pid());
    private final RequestedFile file = new RequestedFile(SIZE);
    private final FileRequestTask errand = new FileRequestTask(file, measurement);

    private static byte[] reply(String head, byte[] content) {
        ByteBuffer reply = ByteBuffer.allocate(head.length() + content.length);
        return reply.put(head.getBytes(StandardCharsets.US_ASCII)).put(content).array();
    }

    private void receive(byte[] reply, int piece) throws IOException {
        for (int at = 0; at < reply.length; at += piece) {
            errand.received(ByteBuffer.wrap(reply, at, Math.min(piece, reply.length - at)));
        }
    }

    @Test
    void asksForTheFileAndForTheEnd() {
        assertEquals("GET /5000.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                StandardCharsets.US_ASCII.decode(errand.unsent()).toString());
        assertTrue(file.request().hasRemaining(), "the next one asks, too");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, HEAD_AND_A_BYTE, 1_000_000})
    void takesTheFileHoweverItComes(int piece) throws IOException {
        measurement.begin();
        byte[] reply = reply(HEAD, Site.content(SIZE));
        receive(reply, piece);
        assertFalse(errand.isComplete(), "the server has not closed");
        errand.ended();

        assertTrue(errand.isComplete());
        measurement.end();
        assertEquals(1, measurement.result().messages());
        assertEquals(reply.length, measurement.result().bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n\r\r\n", "\r\n\n\r\n\r\r\n", "\r\nX: \r\r\n"})
    void doesNotTakeAnythingElseForTheEndOfTheHead(String almost) throws IOException {
        receive(reply("HTTP/1.1 200 OK" + almost, new byte[0]), 1);

        assertThrows(EOFException.class, errand::ended);
        receive(reply("\r\n", Site.content(SIZE)), SIZE);
        errand.ended();
    }

    @Test
    void seesAnotherStatus() {
        byte[] reply = reply("HTTP/1.1 404 Not Found\r\n\r\n", Site.content(SIZE));

        assertThrows(IOException.class, () -> receive(reply, reply.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, SIZE / 2, SIZE - 1})
    void seesAWrongByte(int place) {
        byte[] content = Site.content(SIZE);
        content[place]++;

        assertThrows(IOException.class, () -> receive(reply(HEAD, content), 1_000));
    }

    @Test
    void seesAByteTooMuch() throws IOException {
        receive(reply(HEAD, Site.content(SIZE)), SIZE);

        assertThrows(IOException.class, () -> receive(new byte[1], 1));
    }

    @Test
    void seesAnEndThatComesTooSoon() throws IOException {
        byte[] reply = reply(HEAD, Site.content(SIZE));
        errand.received(ByteBuffer.wrap(reply, 0, reply.length - 1));

        assertThrows(EOFException.class, errand::ended);
        assertFalse(errand.isComplete());
    }

    @Test
    void seesAnEndBeforeTheReply() {
        assertThrows(EOFException.class, errand::ended);
    }
}
