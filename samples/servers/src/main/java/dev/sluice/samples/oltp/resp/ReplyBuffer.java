package dev.sluice.samples.oltp.resp;

import dev.sluice.calls.Bindings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Replies that wait to be sent. Grows as needed and keeps its size; not thread-safe. */
public final class ReplyBuffer {

    private static final int FIRST_CAPACITY = 1024;
    /** Octets of the longest number, with its type and line end around it. */
    private static final int LONGEST_NUMBER = 24;

    /** From 0 to its position, what waits; the view shows the part of it that has not been sent. */
    private ByteBuffer octets = Bindings.current().memory().allocateBuffer(FIRST_CAPACITY);
    private ByteBuffer view = octets.duplicate().limit(0);

    /** Creates an empty one. */
    public ReplyBuffer() {
    }

    /** {@return the number of octets that wait} */
    public int size() {
        return octets.position() - view.position();
    }

    /**
     * What waits, for a socket to consume. Valid until the next call of any other method but {@link #size}.
     *
     * @return from position to limit; the same object until the buffer grows
     */
    public ByteBuffer pending() {
        if (size() == 0) {
            octets.clear();
            view.position(0);
        }
        return view.limit(octets.position());
    }

    /**
     * A simple string, such as {@code +OK}.
     *
     * @param text ASCII, without control characters
     */
    public void simple(String text) {
        line('+', text);
    }

    /**
     * An error.
     *
     * @param message a word in capitals, then what is wrong; what is not printable ASCII is replaced
     */
    public void error(String message) {
        line('-', message);
    }

    private void line(char type, String text) {
        reserve(text.length() + 3);
        octets.put((byte) type);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            octets.put((byte) (c >= ' ' && c < 0x7F ? c : '?'));
        }
        end();
    }

    /**
     * An integer.
     *
     * @param value any
     */
    public void integer(long value) {
        number(':', value);
    }

    /**
     * The head of an array; its elements follow.
     *
     * @param count the number
     */
    public void array(int count) {
        number('*', count);
    }

    /** The null of RESP2: a bulk string that is not there. */
    public void nullBulk() {
        number('$', -1);
    }

    /**
     * A bulk string.
     *
     * @param text any
     */
    public void bulk(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        bulk(encoded, 0, encoded.length);
    }

    /**
     * A bulk string.
     *
     * @param source holds it
     * @param offset where it begins
     * @param length the number of octets that it has
     */
    public void bulk(byte[] source, int offset, int length) {
        number('$', length);
        reserve(length + 2);
        octets.put(source, offset, length);
        end();
    }

    /**
     * A reply that is encoded already.
     *
     * @param reply its octets
     */
    public void encoded(byte[] reply) {
        reserve(reply.length);
        octets.put(reply);
    }

    private void number(char type, long value) {
        reserve(LONGEST_NUMBER);
        octets.put((byte) type);
        if (value < 0) {
            octets.put((byte) '-');
        }
        int start = octets.position();
        long rest = value;
        do {
            octets.put((byte) ('0' + Math.abs(rest % 10)));
            rest /= 10;
        } while (rest != 0);
        reverse(start, octets.position() - 1);
        end();
    }

    private void reverse(int from, int to) {
        for (int low = from, high = to; low < high; low++, high--) {
            byte octet = octets.get(low);
            octets.put(low, octets.get(high)).put(high, octet);
        }
    }

    private void end() {
        octets.put((byte) '\r').put((byte) '\n');
    }

    private void reserve(int amount) {
        if (amount <= octets.remaining()) {
            return;
        }
        ByteBuffer waiting = pending();
        int needed = Math.addExact(waiting.remaining(), amount);
        ByteBuffer larger = octets;
        if (needed > octets.capacity()) {
            larger = Bindings.current().memory().allocateBuffer(Math.max(needed, 2 * octets.capacity()));
            larger.put(waiting);
        } else {
            octets.limit(octets.position()).position(view.position());
            octets.compact();
        }
        octets = larger;
        view = octets.duplicate().limit(0);
    }
}
