package dev.sluice.samples.web.protocol;

import dev.sluice.samples.io.CountedMemory;
import java.nio.ByteBuffer;

/**
 * The octets of a reply, and how far they have been sent: the head, and the part of the body that it is turned to. When
 * both have gone, {@link #next()} turns to the next part: the next block of memory, or the next of several parts of a
 * file, with the delimiter before it as the head.
 *
 * <p>A part of a file is here only by its place. Not thread-safe.
 */
final class ReplyOctets {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer head = NOTHING;
    private ByteBuffer content = NOTHING;
    /** Where in its buffer the content begins that it is turned to. */
    private int contentStart;
    private long offset;
    private long length;
    /** Contains the octets of the file; null if they have to be read. */
    private CountedMemory memory;
    /** Where in the memory the content goes on behind what it is turned to, and where it ends. */
    private long memoryAt;
    private long memoryEnd;
    /** Of the file; null if there is one at most. */
    private Multipart parts;
    private int part;
    /** Where in the head the body begins that belongs to this part. */
    private int fields;
    /** How much of the body has gone with the parts before. */
    private long before;

    /** Becomes a head, with no body so far. */
    void begin(ByteBuffer octets) {
        clear();
        head = octets;
        fields = octets.limit();
    }

    /** The body is these octets. */
    void content(byte[] octets) {
        content = ByteBuffer.wrap(octets).asReadOnlyBuffer();
        length = octets.length;
    }

    /**
     * The body is a part of a file.
     *
     * @param held has the octets of the file; null if they have to be read
     * @param from where the part begins
     * @param size of the part
     */
    void file(CountedMemory held, long from, long size) {
        memory = held;
        turnTo(from, size);
    }

    /**
     * Becomes a head and several parts of a file behind it.
     *
     * @param octets    the head with all the delimiters
     * @param endOfHead where the delimiters begin
     * @param several   the parts
     * @param held     has the octets of the file; null if they have to be read
     */
    void begin(ByteBuffer octets, int endOfHead, Multipart several, CountedMemory held) {
        clear();
        head = octets;
        fields = endOfHead;
        parts = several;
        memory = held;
        turnTo(0);
    }

    /**
     * Turns to what comes next, when everything so far has been sent.
     *
     * @return whether there is more to send
     */
    boolean next() {
        if (memoryAt < memoryEnd) {
            before += content.position() - contentStart;
            turnToBlock();
            return true;
        }
        if (parts == null || part == parts.count()) {
            return false;
        }
        before = bodySent(memory == null ? length : 0);
        fields = head.position();
        turnTo(part + 1);
        return true;
    }

    // After the last part comes the delimiter that closes them all, with nothing of the file.
    private void turnTo(int number) {
        part = number;
        head.limit(parts.delimiterEnd(part));
        boolean last = part == parts.count();
        turnTo(last ? 0 : parts.range(part).offset(), last ? 0 : parts.range(part).length());
    }

    private void turnTo(long from, long size) {
        offset = from;
        length = size;
        content = NOTHING;
        contentStart = 0;
        if (memory != null && size > 0) {
            memoryAt = from;
            memoryEnd = from + size;
            turnToBlock();
        }
    }

    private void turnToBlock() {
        content = memory.octets(memoryAt, memoryEnd - memoryAt);
        memoryAt += content.remaining();
        contentStart = content.position();
    }

    /**
     * {@return how much of the body has been sent}
     *
     * @param fileSent how much of the part of the file that it is turned to
     */
    long bodySent(long fileSent) {
        return before + Math.max(0, head.position() - fields) + content.position() - contentStart + fileSent;
    }

    /** {@return what is left of the head} */
    ByteBuffer head() {
        return head;
    }

    /** {@return what is left of the content that it is turned to, unless it has to be read} */
    ByteBuffer content() {
        return content;
    }

    /** {@return where the part of the file begins that it is turned to} */
    long offset() {
        return offset;
    }

    /** {@return the length of the content, or of the part of the file that it is turned to} */
    long length() {
        return length;
    }

    /** {@return how many octets of this part are in memory behind the content that it is turned to} */
    long following() {
        return memoryEnd - memoryAt;
    }

    /** Becomes nothing. */
    void clear() {
        head = NOTHING;
        content = NOTHING;
        contentStart = 0;
        offset = 0;
        length = 0;
        memory = null;
        memoryAt = 0;
        memoryEnd = 0;
        parts = null;
        part = 0;
        fields = 0;
        before = 0;
    }
}
