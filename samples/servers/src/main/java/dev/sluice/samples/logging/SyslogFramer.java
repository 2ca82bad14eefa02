package dev.sluice.samples.logging;

import java.nio.ByteBuffer;

/**
 * Cuts the byte stream of one TCP connection into syslog records (RFC 6587).
 *
 * <p>The framing is determined for each record. A digit begins an octet-counted one, {@code MSG-LEN SP MSG} (section
 * 3.4.1); anything else begins a newline-framed one (section 3.4.2), which ends at LF, CR LF or NUL. Empty
 * newline-framed records are ignored.
 *
 * <p>A record inside one chunk is handed on where it lies. Only a record cut by a chunk's end is copied, into a
 * buffer that exists on demand and does not outgrow what has been received of the record.
 *
 * <p>One framer per connection. Not thread-safe. An exception thrown by the sink passes through and leaves the framer
 * fit only to be dropped.
 */
public final class SyslogFramer {

    /** Default maximum length of a record, in octets without framing. */
    public static final int DEFAULT_MAX_RECORD = 64 * 1024;

    /** The greatest maximum length a framer can be given, in octets. */
    public static final int LARGEST_MAX_RECORD = 16 * 1024 * 1024;

    private static final int SCRATCH_SIZE = 8 * 1024;
    private static final int MAX_COUNT_DIGITS = 10;

    private static final byte NUL = 0;
    private static final byte LF = '\n';
    private static final byte CR = '\r';

    private enum State { BETWEEN_RECORDS, COUNT, COUNTED, COUNTED_SKIP, LINE, LINE_SKIP, FAILED, ENDED }

    private final int maxRecord;
    private final PartialRecord partial;
    private byte[] scratch;

    private State state = State.BETWEEN_RECORDS;
    private long count;
    private int countDigits;
    private long toSkip;
    private long lineLength;
    private boolean lineEndsInCr;

    /** A framer for records of up to {@link #DEFAULT_MAX_RECORD} octets. */
    public SyslogFramer() {
        this(DEFAULT_MAX_RECORD);
    }

    /**
     * A framer that allocates a scratch array of 8 KiB of its own if it is ever given a chunk without an accessible
     * array.
     *
     * @param maxRecord octets, 1 to {@link #LARGEST_MAX_RECORD}
     */
    public SyslogFramer(int maxRecord) {
        if (maxRecord < 1 || maxRecord > LARGEST_MAX_RECORD) {
            throw new IllegalArgumentException("maximum record length " + maxRecord);
        }
        this.maxRecord = maxRecord;
        // Whether a CR is content or half of CR LF shows only with the next octet: room for one beyond the maximum.
        this.partial = new PartialRecord(maxRecord + 1);
    }

    /**
     * A framer that reads chunks without an accessible array through the given scratch. Framers used on the same
     * thread can share one, which makes an idle connection cost next to nothing.
     *
     * @param maxRecord octets, 1 to {@link #LARGEST_MAX_RECORD}
     * @param scratch   at least 1 octet; best as long as the chunks
     */
    public SyslogFramer(int maxRecord, byte[] scratch) {
        this(maxRecord);
        if (scratch.length == 0) {
            throw new IllegalArgumentException("empty scratch");
        }
        this.scratch = scratch;
    }

    /**
     * Takes the next octets of the stream, all of those remaining in the chunk. After a framing error they are
     * discarded.
     *
     * @throws IllegalStateException after {@link #end} or {@link #cut}
     */
    public void append(ByteBuffer chunk, RecordSink sink) {
        if (state == State.ENDED) {
            throw new IllegalStateException("stream has ended");
        }
        if (chunk.hasArray()) {
            int from = chunk.arrayOffset() + chunk.position();
            int to = chunk.arrayOffset() + chunk.limit();
            chunk.position(chunk.limit());
            scan(chunk.array(), from, to, sink);
            return;
        }
        if (scratch == null && chunk.hasRemaining()) {
            scratch = new byte[SCRATCH_SIZE];
        }
        while (chunk.hasRemaining()) {
            int n = Math.min(chunk.remaining(), scratch.length);
            chunk.get(scratch, 0, n);
            scan(scratch, 0, n, sink);
        }
    }

    /**
     * The sender has ended the stream. An unterminated newline-framed record is a record, for a sender may close the
     * connection in place of the last trailer; an unfinished octet-counted one is known to lack something. Further
     * calls, and those of {@link #cut}, do nothing.
     */
    public void end(RecordSink sink) {
        if (state == State.LINE) {
            state = State.ENDED;
            deliverLine(partial.array(), 0, partial.length(), true, sink);
            partial.clear();
        } else {
            cut(sink);
        }
    }

    /**
     * The stream is broken off where its sender did not end it: by a failure of the connection, or by this side. Then
     * nothing tells whether an unterminated newline-framed record lacks more than its trailer, and it is reported as
     * truncated, since a sender that finds the connection broken sends it again. Further calls, and those of
     * {@link #end}, do nothing.
     */
    public void cut(RecordSink sink) {
        State last = state;
        state = State.ENDED;
        switch (last) {
            case COUNT -> sink.truncated(-1, 0);
            case COUNTED -> sink.truncated(count, partial.length());
            case LINE -> reportCutLine(sink);
            case LINE_SKIP -> reportSkippedLine(true, sink);
            default -> { }
        }
        partial.clear();
    }

    /** Octets of memory held for a record in progress, or kept for the next. */
    int heldCapacity() {
        return partial.array().length;
    }

    private void scan(byte[] array, int from, int to, RecordSink sink) {
        int at = from;
        while (at < to) {
            at = switch (state) {
                case BETWEEN_RECORDS -> begin(array, at);
                case COUNT -> readCount(array, at, to, sink);
                case COUNTED -> takeCounted(array, at, to, sink);
                case COUNTED_SKIP -> skipCounted(at, to);
                case LINE -> takeLine(array, at, to, sink);
                case LINE_SKIP -> skipLine(array, at, to, sink);
                case FAILED, ENDED -> to;
            };
        }
    }

    private int begin(byte[] array, int at) {
        if (isDigit(array[at])) {
            count = 0;
            countDigits = 0;
            state = State.COUNT;
        } else {
            state = State.LINE;
        }
        return at;
    }

    private int readCount(byte[] array, int from, int to, RecordSink sink) {
        int at = from;
        while (at < to && isDigit(array[at])) {
            // RFC 6587 section 3.4.1: MSG-LEN = NONZERO-DIGIT *DIGIT. No syslog message begins with a digit, hence a
            // leading zero is a broken count rather than a newline-framed record.
            if (countDigits == 0 && array[at] == '0') {
                return fail("octet count begins with 0", to, sink);
            }
            if (++countDigits > MAX_COUNT_DIGITS) {
                return fail("octet count has more than 10 digits", to, sink);
            }
            count = 10 * count + (array[at] - '0');
            at++;
        }
        if (at == to) {
            return to;
        }
        if (array[at] != ' ') {
            return fail("octet count not followed by a space", to, sink);
        }
        if (count > maxRecord) {
            toSkip = count;
            state = State.COUNTED_SKIP;
            sink.oversized(count);
        } else {
            state = State.COUNTED;
        }
        return at + 1;
    }

    private int takeCounted(byte[] array, int at, int to, RecordSink sink) {
        int missing = (int) count - partial.length();
        if (to - at < missing) {
            partial.add(array, at, to - at);
            return to;
        }
        state = State.BETWEEN_RECORDS;
        if (partial.length() == 0) {
            sink.record(array, at, missing);
        } else {
            partial.add(array, at, missing);
            sink.record(partial.array(), 0, partial.length());
            partial.clear();
        }
        return at + missing;
    }

    private int skipCounted(int at, int to) {
        int n = (int) Math.min(toSkip, to - at);
        toSkip -= n;
        if (toSkip == 0) {
            state = State.BETWEEN_RECORDS;
        }
        return at + n;
    }

    private int takeLine(byte[] array, int at, int to, RecordSink sink) {
        int end = findTrailer(array, at, to);
        int n = end - at;
        if (end < to && partial.length() == 0) {
            state = State.BETWEEN_RECORDS;
            deliverLine(array, at, n, array[end] == LF, sink);
            return end + 1;
        }
        if (!partial.hasSpaceFor(n)) {
            lineLength = partial.length();
            partial.clear();
            state = State.LINE_SKIP;
            return at;
        }
        partial.add(array, at, n);
        if (end == to) {
            return to;
        }
        state = State.BETWEEN_RECORDS;
        deliverLine(partial.array(), 0, partial.length(), array[end] == LF, sink);
        partial.clear();
        return end + 1;
    }

    private int skipLine(byte[] array, int at, int to, RecordSink sink) {
        int end = findTrailer(array, at, to);
        if (end > at) {
            lineLength += end - at;
            lineEndsInCr = array[end - 1] == CR;
        }
        if (end == to) {
            return to;
        }
        state = State.BETWEEN_RECORDS;
        reportSkippedLine(array[end] == LF, sink);
        return end + 1;
    }

    /**
     * A CR before LF belongs to the trailer (RFC 6587 section 3.4.2). So does one at the end of the stream, where CR
     * LF has been cut in two.
     */
    private void deliverLine(byte[] array, int from, int seen, boolean crIsTrailer, RecordSink sink) {
        int length = lengthWithoutTrailer(array, from, seen, crIsTrailer);
        if (length > maxRecord) {
            sink.oversized(length);
        } else if (length > 0) {
            sink.record(array, from, length);
        }
    }

    private void reportCutLine(RecordSink sink) {
        int length = lengthWithoutTrailer(partial.array(), 0, partial.length(), true);
        if (length > 0) {
            sink.truncated(-1, length);
        }
    }

    private void reportSkippedLine(boolean crIsTrailer, RecordSink sink) {
        sink.oversized(crIsTrailer && lineEndsInCr ? lineLength - 1 : lineLength);
    }

    private int fail(String reason, int to, RecordSink sink) {
        state = State.FAILED;
        sink.framingError(reason);
        return to;
    }

    private static int lengthWithoutTrailer(byte[] array, int from, int seen, boolean crIsTrailer) {
        return crIsTrailer && seen > 0 && array[from + seen - 1] == CR ? seen - 1 : seen;
    }

    private static int findTrailer(byte[] array, int from, int to) {
        int at = from;
        while (at < to && array[at] != LF && array[at] != NUL) {
            at++;
        }
        return at;
    }

    private static boolean isDigit(byte octet) {
        return octet >= '0' && octet <= '9';
    }
}
