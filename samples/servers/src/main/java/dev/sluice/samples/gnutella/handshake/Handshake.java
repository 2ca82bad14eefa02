package dev.sluice.samples.gnutella.handshake;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** One side of the handshake. For one thread at a time. */
public interface Handshake {

    /**
     * Returns the bytes to send before anything has been received.
     *
     * @return position to limit, the caller's; null for nothing
     */
    ByteBuffer greeting();

    /**
     * Takes more of what the other side sends, but nothing beyond its part of the beginning.
     *
     * @param bytes from position to limit
     * @param reply is given what to send, position to limit
     * @return the neighbour, once both agree; null as long as they do not
     * @throws RefusedException if they never will
     */
    Neighbour take(ByteBuffer bytes, Consumer<ByteBuffer> reply) throws RefusedException;

    /**
     * Returns the bytes that refuse the other side.
     *
     * @param status why
     * @return position to limit, the caller's; null if the other side would not understand
     */
    ByteBuffer refusal(Status status);
}
