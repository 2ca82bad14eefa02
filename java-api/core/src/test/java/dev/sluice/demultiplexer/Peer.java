package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.handle.FullSocket;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The other end of a connection, played by the test itself. */
final class Peer {

    private static final int PIECE = 64 * 1024;

    private Peer() {
    }

    static void send(SocketStream stream, byte... content) throws IOException {
        stream.sendFully(ByteBuffer.wrap(content), DemultiplexerContract.PATIENCE);
    }

    /** Waits for a number of bytes. Returns them. */
    static byte[] receive(SocketStream stream, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        assertTrue(stream.receiveFully(bytes, DemultiplexerContract.PATIENCE), "the stream ends too early");
        return bytes.array();
    }

    /** Waits for the end of the stream. Returns all bytes before it. */
    static byte[] receiveAll(SocketStream stream) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        int received = 0;
        while (received >= 0) {
            if (received == 0) {
                ByteBuffer first = ByteBuffer.allocate(1);
                received = stream.receiveFully(first, DemultiplexerContract.PATIENCE) ? 1 : SocketStream.END_OF_STREAM;
                all.write(first.array(), 0, first.position());
            } else {
                received = stream.receive(piece.clear());
                all.write(piece.array(), 0, piece.position());
            }
        }
        return all.toByteArray();
    }

    /** Asserts that the other end is closed, with no byte left to receive. */
    static void assertEnd(SocketStream stream) throws IOException {
        assertEquals(0, receiveAll(stream).length, "bytes before the end of the stream");
    }

    /**
     * Fills the near end, so that it is not writable until the far end receives.
     *
     * @return the number of bytes that it took
     */
    static int fill(StreamPair pair) throws IOException {
        return FullSocket.fill(pair.near(), pair.far());
    }

    /** Closes with a reset, which the other end reports as an error. */
    static void reset(SocketStream stream) throws IOException {
        stream.setOption(NativeSocketOptions.SO_LINGER, 0);
        stream.close();
    }

    /** Shrinks the buffers, so that a sender has to wait. */
    static StreamPair narrow(StreamPair pair) throws IOException {
        pair.near().setOption(NativeSocketOptions.SO_SNDBUF, PIECE);
        pair.far().setOption(NativeSocketOptions.SO_RCVBUF, PIECE);
        return pair;
    }
}
