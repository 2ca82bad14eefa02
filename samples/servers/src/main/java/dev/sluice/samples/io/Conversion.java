package dev.sluice.samples.io;

import java.nio.ByteBuffer;

/**
 * Turns the octets of a file into those that are sent, a piece after the other: a filter in the pattern Pipes and
 * Filters. Its file is read whichever way octets move. For one connection, and one thread at a time.
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
