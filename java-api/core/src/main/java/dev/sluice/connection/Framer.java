package dev.sluice.connection;

import com.google.errorprone.annotations.CheckReturnValue;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of bytes into frames: lines, frames with a length prefix, or frames of fixed length. A frame that
 * arrives as a whole is not copied. The beginning of an incomplete frame is stored in an array, which grows with the
 * received bytes up to the maximum frame length, and is reused.
 *
 * <p>A framer belongs to one connection. Not thread-safe.
 */
public abstract class Framer {

    private static final int FIRST_CAPACITY = 128;
    /** Maximum length of an array that is reused. */
    private static final int MAX_SPARE_CAPACITY = 64 * 1024;

    final int max;
    private final FrameHandler handler;
    /** Whether the bytes that {@link #take} has counted complete a frame. */
    boolean complete;
    int delimiter;
    /** The beginning of an incomplete frame; null if no array is allocated. */
    private @Nullable ByteBuffer kept;
    private int pending;
    private boolean appending;
    private boolean stopped;

    private Framer(int max, FrameHandler handler) {
        if (max < 1) {
            throw new IllegalArgumentException("frames of at most " + max + " bytes: must be at least 1");
        }
        this.max = max;
        this.handler = Objects.requireNonNull(handler, "handler");
    }

    /**
     * Creates a framer of lines, which are terminated by a line feed, or by a carriage return and a line feed. The
     * frame does not contain the terminator.
     *
     * @param max     the maximum length of a line without its terminator, in bytes, at least 1
     * @param handler called with each line, which may be empty
     * @return the framer
     * @throws IllegalArgumentException if the maximum is less than 1
     */
    @CheckReturnValue
    public static Framer lines(int max, FrameHandler handler) {
        return new Lines(max, handler);
    }

    /**
     * Creates a framer of frames with a length prefix: an unsigned number in network byte order, which does not count
     * itself. The frame does not contain the prefix.
     *
     * @param bytes   the size of the prefix in bytes, 1 to 4
     * @param max     the maximum length of a frame in bytes, at least 1
     * @param handler called with each frame, which may be empty
     * @return the framer
     * @throws IllegalArgumentException if one of the numbers is out of range
     */
    @CheckReturnValue
    public static Framer lengthPrefixed(int bytes, int max, FrameHandler handler) {
        if (bytes < 1 || bytes > Integer.BYTES) {
            throw new IllegalArgumentException("a length of " + bytes + " bytes: must be from 1 to 4");
        }
        return new LengthPrefixed(bytes, max, handler);
    }

    /**
     * Creates a framer of frames of a fixed length.
     *
     * @param length  the length of each frame in bytes, at least 1
     * @param handler called with each frame
     * @return the framer
     * @throws IllegalArgumentException if the length is less than 1
     */
    @CheckReturnValue
    public static Framer fixed(int length, FrameHandler handler) {
        return new Fixed(length, handler);
    }

    /**
     * Appends received bytes, calls the handler with each frame that they complete, and stores the beginning of the
     * next one. If a frame is too long, or the handler throws, the framer stops.
     *
     * @param bytes the bytes; all remaining ones are consumed, even if this throws. The handler gets this buffer for
     *              frames that it contains as a whole
     * @throws ProtocolException     if a frame is longer than the maximum
     * @throws IllegalStateException if called by the handler of this framer
     * @throws Exception             if the handler throws it
     */
    public void append(ByteBuffer bytes) throws Exception {
        if (appending) {
            throw new IllegalStateException(
                    "append: the handler of this framer is running; append when it has returned");
        }
        int end = bytes.limit();
        boolean failed = true;
        appending = true;
        try {
            while (!stopped && bytes.hasRemaining()) {
                int count = take(bytes);
                int next = bytes.position() + count;
                if (complete && pending == 0) {
                    handle(bytes, count);
                } else {
                    keep(bytes, count);
                    if (complete) {
                        handleKept();
                    }
                }
                bytes.limit(end).position(next);
            }
            failed = false;
        } finally {
            appending = false;
            bytes.limit(end).position(end);
            if (failed) {
                stop();
            }
        }
    }

    /** Discards an incomplete frame and starts again, as for a new connection. */
    public void reset() {
        forget();
        stopped = false;
    }

    /** Discards received bytes that have not been handled, and all bytes that are appended until {@link #reset()}. */
    public void stop() {
        forget();
        stopped = true;
    }

    /** {@return the number of stored bytes of an incomplete frame} */
    public int pendingBytes() {
        return pending;
    }

    private void forget() {
        kept = null;
        pending = 0;
    }

    /**
     * {@return the number of remaining bytes that belong to the current frame} At least one byte remains. Sets
     * {@link #complete}.
     */
    abstract int take(ByteBuffer bytes) throws ProtocolException;

    /** {@return the number of bytes of a frame that precede the part for the handler} */
    int prefix() {
        return 0;
    }

    /** {@return a byte of the current frame, which may be stored or among the remaining ones} */
    final byte at(ByteBuffer bytes, int index) {
        if (index < pending) {
            assert kept != null;
            return kept.get(index);
        }
        return bytes.get(bytes.position() + index - pending);
    }

    final int pending() {
        return pending;
    }

    final ProtocolException tooLong(long length) {
        return new ProtocolException("a frame of " + (length < 0 ? "more than " + max : length)
                + " bytes, at most " + max + " are allowed");
    }

    private void handle(ByteBuffer whole, int count) throws Exception {
        int begin = whole.position();
        handler.frame(whole.limit(begin + count - delimiter).position(begin + prefix()));
    }

    private void handleKept() throws Exception {
        ByteBuffer whole = kept;
        assert whole != null;
        int count = pending;
        // Before the call, because the handler may reset this framer or throw.
        forget();
        handle(whole.clear(), count);
        if (!stopped && whole.capacity() <= MAX_SPARE_CAPACITY) {
            kept = whole;
        }
    }

    private void keep(ByteBuffer bytes, int count) {
        int needed = pending + count;
        if (kept == null || kept.capacity() < needed) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(Math.max(FIRST_CAPACITY, needed), 2 * pending));
            if (kept != null) {
                larger.put(kept.clear().limit(pending));
            }
            kept = larger;
        }
        kept.clear().position(pending);
        kept.put(bytes.limit(bytes.position() + count));
        pending = needed;
    }

    private static final class Lines extends Framer {

        Lines(int max, FrameHandler handler) {
            super(max, handler);
        }

        @Override
        int take(ByteBuffer bytes) throws ProtocolException {
            int begin = bytes.position();
            int end = bytes.limit();
            int index = begin;
            while (index < end && bytes.get(index) != '\n') {
                index++;
            }
            complete = index < end;
            int length = pending() + index - begin;
            boolean hasReturn = length > 0 && at(bytes, length - 1) == '\r';
            if (length - (hasReturn ? 1 : 0) > max) {
                throw tooLong(-1);
            }
            delimiter = hasReturn ? 2 : 1;
            return complete ? index + 1 - begin : end - begin;
        }
    }

    private static final class LengthPrefixed extends Framer {

        private final int bytesOfLength;

        LengthPrefixed(int bytesOfLength, int max, FrameHandler handler) {
            super(max, handler);
            this.bytesOfLength = bytesOfLength;
        }

        @Override
        int take(ByteBuffer bytes) throws ProtocolException {
            long available = (long) pending() + bytes.remaining();
            if (available < bytesOfLength) {
                complete = false;
                return bytes.remaining();
            }
            long length = 0;
            for (int i = 0; i < bytesOfLength; i++) {
                length = length << Byte.SIZE | at(bytes, i) & 0xFF;
            }
            if (length > max) {
                throw tooLong(length);
            }
            long missing = bytesOfLength + length - pending();
            complete = missing <= bytes.remaining();
            return (int) Math.min(missing, bytes.remaining());
        }

        @Override
        int prefix() {
            return bytesOfLength;
        }
    }

    private static final class Fixed extends Framer {

        Fixed(int length, FrameHandler handler) {
            super(length, handler);
        }

        @Override
        int take(ByteBuffer bytes) {
            int missing = max - pending();
            complete = missing <= bytes.remaining();
            return Math.min(missing, bytes.remaining());
        }
    }
}
