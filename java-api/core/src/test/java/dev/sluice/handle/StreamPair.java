package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Both ends of a connection. */
record StreamPair(SocketStream client, SocketStream server) implements Closeable {

    /** Sends all of the source, and receives at the other end until the destination is full. */
    static void carry(SocketStream from, ByteBuffer source, SocketStream to, ByteBuffer destination) throws Exception {
        while (destination.hasRemaining()) {
            int sent = source.hasRemaining() ? from.send(source) : 0;
            int received = to.receive(destination);
            if (received < 0) {
                throw new AssertionError("end of stream with " + destination.remaining() + " bytes missing");
            }
            if (sent == 0 && received == 0) {
                Patience.awaitReadable(to);
            }
        }
    }

    /** More than a connection with {@link #smallBuffers()} holds, including bytes in transit. */
    static ByteBuffer tooMuch() {
        return ByteBuffer.allocateDirect(4 * 1024 * 1024);
    }

    /** Sends until a send would block. Returns the number of bytes sent. */
    static long fill(SocketStream stream) throws Exception {
        ByteBuffer piece = ByteBuffer.allocateDirect(64 * 1024);
        long sum = 0;
        int sent;
        do {
            sent = stream.send(piece.clear());
            assertEquals(sent, piece.position());
            sum += sent;
        } while (sent > 0);
        return sum;
    }

    StreamPair smallBuffers() throws IOException {
        for (SocketStream stream : new SocketStream[] {client, server}) {
            stream.setOption(NativeSocketOptions.SO_SNDBUF, 50_000);
            stream.setOption(NativeSocketOptions.SO_RCVBUF, 50_000);
        }
        return this;
    }

    /** Receives a number of bytes and discards them. */
    static void drain(SocketStream stream, long bytes) throws Exception {
        ByteBuffer piece = ByteBuffer.allocateDirect(64 * 1024);
        for (long left = bytes; left > 0; left -= piece.position()) {
            piece.clear().limit((int) Math.min(left, piece.capacity()));
            if (!stream.receiveFully(piece, Patience.LIMIT)) {
                throw new AssertionError("end of stream with " + left + " bytes missing");
            }
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
