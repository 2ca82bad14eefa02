package dev.sluice.samples.gopher;

import dev.sluice.samples.io.Conversion;
import java.nio.ByteBuffer;

/**
 * Converts text for the wire (RFC 1436 section 3.9): every line ends with CRLF, and a dot at the beginning of a line is
 * doubled.
 */
final class TextConversion implements Conversion {

    private ByteBuffer converted = ByteBuffer.allocate(0);
    private byte last = '\n';

    @Override
    public ByteBuffer convert(ByteBuffer piece) {
        if (converted.capacity() < 2 * piece.remaining()) {
            converted = ByteBuffer.allocate(2 * piece.remaining());
        }
        converted.clear();
        while (piece.hasRemaining()) {
            byte octet = piece.get();
            if (octet == '.' && last == '\n') {
                converted.put(octet);
            } else if (octet == '\n' && last != '\r') {
                converted.put((byte) '\r');
            }
            converted.put(octet);
            last = octet;
        }
        return converted.flip();
    }

    /** {@return whether the last line has no end yet} */
    boolean isInsideLine() {
        return last != '\n';
    }
}
