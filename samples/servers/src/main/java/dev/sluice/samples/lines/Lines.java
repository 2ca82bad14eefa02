package dev.sluice.samples.lines;

import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the lines received on a connection. For one thread at a time. */
public final class Lines {

    /** Of a line, with its end, in bytes. */
    public static final int LONGEST = 256;

    private final ByteBuffer received = ByteBuffer.allocate(LONGEST);
    /** Number of bytes that are known to hold no end of a line. */
    private int searched;

    /** Creates an instance that has received nothing. */
    public Lines() {
    }

    /**
     * Receives once. Only after {@link #next} has returned null: there is room then.
     *
     * @param peer from whom
     * @return whether the stream goes on
     * @throws IOException as {@link SocketStream#receive(ByteBuffer)}
     */
    public boolean receive(SocketStream peer) throws IOException {
        return peer.receive(received) != SocketStream.END_OF_STREAM;
    }

    /**
     * Takes a line.
     *
     * @return the next one, without its end and space around it; null if it has not arrived yet
     * @throws IOException if it is longer than {@value #LONGEST} bytes, or HTTP
     */
    public String next() throws IOException {
        for (; searched < received.position(); searched++) {
            if (received.get(searched) == '\n') {
                return take(searched);
            }
        }
        if (!received.hasRemaining()) {
            throw new IOException("a line is longer than " + LONGEST + " bytes");
        }
        return null;
    }

    private String take(int length) throws IOException {
        byte[] line = new byte[length];
        received.flip().get(line).get();
        if (HttpLine.isHttp(line, 0, length)) {
            throw new IOException("this is not an HTTP server");
        }
        received.compact();
        searched = 0;
        return new String(line, StandardCharsets.US_ASCII).strip();
    }

    /**
     * Sends an answer, which a client that reads its answers has room for.
     *
     * @param peer to whom
     * @param line without its end
     * @throws IOException if the peer does not read, or is gone
     */
    public static void answer(SocketStream peer, String line) throws IOException {
        ByteBuffer octets = encode(line);
        peer.send(octets);
        if (octets.hasRemaining()) {
            throw new IOException(peer + " does not read its answers");
        }
    }

    /**
     * Makes bytes of a line.
     *
     * @param line without its end
     * @return with it
     */
    public static ByteBuffer encode(String line) {
        return StandardCharsets.US_ASCII.encode(line + "\n");
    }
}
