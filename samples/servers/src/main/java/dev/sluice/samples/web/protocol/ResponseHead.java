package dev.sluice.samples.web.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Writes the head of a response into a buffer, which is kept for the next one and grows if need be. */
final class ResponseHead {

    private static final int INITIAL_SIZE = 512;
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_NUMBER = 20;

    /**
     * Buffers of connections that have ended, never more than there were connections at once. Allocating a new one for
     * each of 45,000 connections in a second costs the collector four milliseconds, because it has to process each
     * unreachable buffer.
     */
    private static final Queue<ByteBuffer> SPARE = new ConcurrentLinkedQueue<>();

    /** Direct, or each write to a socket would have to copy it. Null until it is needed. */
    private ByteBuffer buffer;

    ResponseHead start(Status status) {
        clear();
        return put(status.line());
    }

    private void clear() {
        if (buffer == null) {
            ByteBuffer spare = SPARE.poll();
            buffer = spare == null ? ByteBuffer.allocateDirect(INITIAL_SIZE) : spare;
        }
        buffer.clear();
    }

    /** Leaves the buffer to others. Nothing that was in it may still be on its way. */
    void retire() {
        if (buffer != null && buffer.capacity() == INITIAL_SIZE) {
            SPARE.add(buffer);
        }
        buffer = null;
    }

    /** RFC 9110 section 15.2.1: an interim response, with no fields. */
    ByteBuffer interim() {
        clear();
        put(CONTINUE);
        return buffer.flip();
    }

    ResponseHead field(String name, String value) {
        return put(name).put(": ").put(value).put("\r\n");
    }

    ResponseHead field(String name, byte[] value) {
        return put(name).put(": ").put(value).put("\r\n");
    }

    ResponseHead field(String name, long value) {
        return put(name).put(": ").put(value).put("\r\n");
    }

    /** Content-Range; a range without octets stands for an unsatisfiable one (RFC 9110 section 14.4). */
    ResponseHead contentRange(long offset, long length, long size) {
        put("Content-Range: bytes ");
        if (length > 0) {
            put(offset).put("-").put(offset + length - 1);
        } else {
            put("*");
        }
        return put("/").put(size).put("\r\n");
    }

    ByteBuffer end() {
        endOfFields();
        return octets();
    }

    /** Ends the fields, behind which there may be more; tells where that would be. */
    int endOfFields() {
        return put("\r\n").position();
    }

    ResponseHead text(String ascii) {
        return put(ascii);
    }

    int position() {
        return buffer.position();
    }

    ByteBuffer octets() {
        return buffer.flip();
    }

    private ResponseHead put(byte[] octets) {
        withSpace(octets.length).put(octets);
        return this;
    }

    private ResponseHead put(String ascii) {
        ByteBuffer target = withSpace(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            target.put((byte) ascii.charAt(i));
        }
        return this;
    }

    private ResponseHead put(long number) {
        ByteBuffer target = withSpace(LONGEST_NUMBER);
        int start = target.position();
        long left = number;
        int digits = 1;
        while (left >= 10) {
            left /= 10;
            digits++;
        }
        left = number;
        for (int at = start + digits - 1; at >= start; at--) {
            target.put(at, (byte) ('0' + left % 10));
            left /= 10;
        }
        target.position(start + digits);
        return this;
    }

    private ByteBuffer withSpace(int count) {
        if (buffer.remaining() < count) {
            buffer = ByteBuffer.allocateDirect(2 * (buffer.position() + count)).put(buffer.flip());
        }
        return buffer;
    }
}
