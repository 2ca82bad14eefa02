package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/** The other end of a connection, which the test itself plays. */
final class Peer {

    private static final int PIECE = 64 * 1024;
    private static final long A_MOMENT = 10_000_000;
    private static final int QUIET_MOMENTS = 5;

    private Peer() {
    }

    static void send(SocketStream stream, byte... content) throws IOException {
        stream.sendFully(ByteBuffer.wrap(content), DemultiplexerContract.PATIENCE);
    }

    /** {@return the next bytes, waiting for them} */
    static byte[] receive(SocketStream stream, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        assertTrue(stream.receiveFully(bytes, DemultiplexerContract.PATIENCE), "the stream ends too early");
        return bytes.array();
    }

    /** {@return all bytes until the end of the stream, waiting for it} */
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

    /** Sees the other end closed, with no byte left to receive. */
    static void assertEnd(SocketStream stream) throws IOException {
        assertEquals(0, receiveAll(stream).length, "bytes before the end of the stream");
    }

    /**
     * Sends until the system takes no more for several moments in succession: what TCP has on its way makes room as it
     * arrives, and who delivers it may have lost its processor.
     *
     * @return how many bytes
     */
    static int fill(SocketStream stream) throws IOException {
        int sum = 0;
        for (int quiet = 0; quiet < QUIET_MOMENTS; quiet++) {
            int sent = sendWhatFits(stream);
            if (sent > 0) {
                sum += sent;
                quiet = 0;
            }
            LockSupport.parkNanos(A_MOMENT);
        }
        return sum;
    }

    private static int sendWhatFits(SocketStream stream) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        int sum = 0;
        int sent;
        do {
            sent = stream.send(piece.clear());
            sum += sent;
        } while (sent > 0);
        return sum;
    }

    /** Closes in a way that the other end takes for a failure. */
    static void reset(SocketStream stream) throws IOException {
        stream.setOption(NativeSocketOptions.SO_LINGER, 0);
        stream.close();
    }

    /** Lets few bytes be on their way, so that a sender has to wait. */
    static StreamPair narrow(StreamPair pair) throws IOException {
        pair.near().setOption(NativeSocketOptions.SO_SNDBUF, PIECE);
        pair.far().setOption(NativeSocketOptions.SO_RCVBUF, PIECE);
        return pair;
    }
}
