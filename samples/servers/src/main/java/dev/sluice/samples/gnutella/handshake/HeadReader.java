package dev.sluice.samples.gnutella.handshake;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads lines from a stream up to the first empty one, in pieces of any size. Lines end with LF or CRLF. For one thread
 * at a time.
 */
final class HeadReader {

    /** The most bytes of a head: 4 KiB. */
    static final int MAX_BYTES = 4 * 1024;

    private final StringBuilder line = new StringBuilder();
    private final List<String> lines = new ArrayList<>();
    private int count;

    /**
     * Takes more of the stream, but nothing beyond the empty line.
     *
     * @param bytes from position to limit
     * @return the head, if it is complete; then the next call begins another one. Otherwise null.
     * @throws RefusedException if it is too long
     */
    Head read(ByteBuffer bytes) throws RefusedException {
        while (bytes.hasRemaining()) {
            if (++count > MAX_BYTES) {
                throw new RefusedException(Status.TOO_LARGE, "a head of more than " + MAX_BYTES + " bytes");
            }
            byte next = bytes.get();
            if (next != '\n') {
                line.append((char) (next & 0xFF));
                continue;
            }
            if (endLine()) {
                return end();
            }
        }
        return null;
    }

    /** {@return whether it was the empty one} */
    private boolean endLine() {
        int length = line.length();
        if (length > 0 && line.charAt(length - 1) == '\r') {
            line.setLength(length - 1);
        }
        boolean empty = line.isEmpty();
        if (!empty || lines.isEmpty()) {
            lines.add(line.toString());
        }
        line.setLength(0);
        return empty;
    }

    private Head end() {
        Head head = Head.of(lines);
        lines.clear();
        count = 0;
        return head;
    }

    /** {@return the first line, as far as it has been received; the reply depends on it} */
    String firstLine() {
        return lines.isEmpty() ? line.toString() : lines.get(0);
    }

    /** {@return text as it goes over the wire} */
    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
