package dev.sluice.samples.compare.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The framing of requests and responses: a length of four bytes, then as many bytes of content. */
public final class Frames {

    /** The size of the length field of a frame, in bytes. */
    public static final int HEADER = Integer.BYTES;
    /** Maximum length of the content of a frame, in bytes. */
    public static final int LARGEST = 4096;
    static final int BUFFER = HEADER + LARGEST;

    private Frames() {
    }

    /**
     * Looks for a frame at the position.
     *
     * @return the length of its content; -1 if it is not complete
     * @throws IOException if it is too long
     */
    static int complete(ByteBuffer received) throws IOException {
        if (received.remaining() < HEADER) {
            return -1;
        }
        int length = checked(received.getInt(received.position()));
        return received.remaining() < HEADER + length ? -1 : length;
    }

    static int checked(int length) throws IOException {
        if (length < 0 || length > LARGEST) {
            throw new IOException("a frame of " + length + " bytes; " + LARGEST + " are allowed");
        }
        return length;
    }

    /**
     * Serves the request at the position, which is complete.
     *
     * @param received its position goes on behind the request
     * @param length   of the content
     * @param response cleared, then holds the whole frame, ready to be sent
     */
    static void serve(RequestHandler handler, ByteBuffer received, int length, ByteBuffer response) {
        int end = received.position() + HEADER + length;
        int limit = received.limit();
        received.position(received.position() + HEADER).limit(end);
        response.clear().position(HEADER);
        handler.handleRequest(received, response);
        received.limit(limit).position(end);
        response.putInt(0, response.position() - HEADER).flip();
    }
}
