package dev.sluice.samples.io;

import java.nio.ByteBuffer;

/**
 * Converts the octets of a file, piece by piece: a filter in the pattern Pipes and Filters. Its file is always read.
 * For one connection, and one thread at a time.
 */
public interface Conversion {

    /**
     * Converts the next piece.
     *
     * @param piece what follows the piece before; it is taken to its end
     * @return what is to be sent, until the next piece is converted: at least an octet of it
     */
    ByteBuffer convert(ByteBuffer piece);
}
