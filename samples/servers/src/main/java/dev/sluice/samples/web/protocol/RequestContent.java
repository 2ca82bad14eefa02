package dev.sluice.samples.web.protocol;

import static dev.sluice.samples.web.protocol.HttpGrammar.CR;
import static dev.sluice.samples.web.protocol.HttpGrammar.LF;

import java.nio.ByteBuffer;

/** Reads the content of a request, counted or chunked, up to a limit: into a sink, or over it. */
final class RequestContent {

    /** Represents all larger lengths; sixteen times as much is still a long. */
    static final long MAX_LENGTH = 1L << 58;

    private enum State {
        COUNTED,
        CHUNK_SIZE, CHUNK_SIZE_MORE, CHUNK_BLANK, CHUNK_EXTENSION, CHUNK_LINE_END, CHUNK_DATA, CHUNK_DATA_CR,
        CHUNK_DATA_LF, TRAILER, TRAILER_NAME, TRAILER_VALUE, TRAILER_LINE_END, LAST_LINE_END,
        COMPLETE
    }

    private int droppedLimit;
    private ContentSink sink;
    private long limit;
    private long received;
    private State state = State.COMPLETE;
    /** Number of octets that may still come, framing included. */
    private long allowance;
    /** How many are still missing of the content or the chunk. */
    private long missing;

    /** Sets the maximum size of a content without a sink that is read and dropped, from the next request on. */
    void droppedLimit(int maximum) {
        droppedLimit = maximum;
    }

    /** Begins with a request; null drops its content. */
    void into(ContentSink taker) {
        sink = taker == null || taker.refusal() != null ? null : taker;
        limit = taker == null ? droppedLimit : taker.limit();
        received = 0;
    }

    /** {@return how many octets of it a sink has taken} */
    long received() {
        return received;
    }

    /** Counted content; returns whether it is within the limit. */
    boolean expect(long length) {
        allowance = limit;
        missing = length;
        state = length == 0 ? State.COMPLETE : State.COUNTED;
        return length <= limit;
    }

    void expectChunks() {
        allowance = limit;
        state = State.CHUNK_SIZE;
    }

    /** {@return whether nothing is taken until the sink has stored what it has} */
    boolean isWaiting() {
        return sink != null && sink.isWaiting();
    }

    boolean isComplete() {
        return state == State.COMPLETE;
    }

    /** Takes what belongs to the content; tells what is wrong with it, or null. */
    Status read(ByteBuffer in) {
        while (state != State.COMPLETE && in.hasRemaining() && !isWaiting()) {
            if (state == State.COUNTED || state == State.CHUNK_DATA) {
                Status problem = readData(in);
                if (problem != null) {
                    return problem;
                }
                continue;
            }
            if (--allowance < 0) {
                return Status.CONTENT_TOO_LARGE;
            }
            State next = next(in.get());
            if (next == null) {
                return Status.BAD_REQUEST;
            }
            state = next;
            if (missing > allowance) {
                return Status.CONTENT_TOO_LARGE;
            }
        }
        return null;
    }

    private Status readData(ByteBuffer in) {
        int begin = in.position();
        int end = begin + (int) Math.min(missing, in.remaining());
        Status problem = null;
        if (sink != null) {
            int limitBefore = in.limit();
            problem = sink.write(in.limit(end));
            in.limit(limitBefore);
            received += in.position() - begin;
        } else {
            in.position(end);
        }
        int count = in.position() - begin;
        missing -= count;
        allowance -= count;
        if (missing == 0) {
            state = state == State.COUNTED ? State.COMPLETE : State.CHUNK_DATA_CR;
        }
        return problem;
    }

    /** RFC 9112 section 7.1. The state after an octet of the framing, or null if it does not belong there. */
    private State next(byte octet) {
        return switch (state) {
            case CHUNK_SIZE -> {
                missing = 0;
                yield digit(octet) ? State.CHUNK_SIZE_MORE : null;
            }
            case CHUNK_SIZE_MORE -> {
                if (digit(octet)) {
                    yield State.CHUNK_SIZE_MORE;
                }
                yield HttpGrammar.isBlank(octet) ? State.CHUNK_BLANK : afterSize(octet);
            }
            // Section 7.1.1: blanks have to be tolerated before an extension, and nowhere else.
            case CHUNK_BLANK -> HttpGrammar.isBlank(octet) ? State.CHUNK_BLANK
                    : octet == ';' ? State.CHUNK_EXTENSION : null;
            case CHUNK_EXTENSION -> octet == CR ? State.CHUNK_LINE_END
                    : HttpGrammar.isControl(octet) ? null : State.CHUNK_EXTENSION;
            case CHUNK_LINE_END -> octet != LF ? null : missing == 0 ? State.TRAILER : State.CHUNK_DATA;
            case CHUNK_DATA_CR -> octet == CR ? State.CHUNK_DATA_LF : null;
            case CHUNK_DATA_LF -> octet == LF ? State.CHUNK_SIZE : null;
            case TRAILER -> octet == CR ? State.LAST_LINE_END
                    : HttpGrammar.isToken(octet) ? State.TRAILER_NAME : null;
            case TRAILER_NAME -> octet == ':' ? State.TRAILER_VALUE
                    : HttpGrammar.isToken(octet) ? State.TRAILER_NAME : null;
            case TRAILER_VALUE -> octet == CR ? State.TRAILER_LINE_END
                    : HttpGrammar.isControl(octet) ? null : State.TRAILER_VALUE;
            case TRAILER_LINE_END -> octet == LF ? State.TRAILER : null;
            case LAST_LINE_END -> octet == LF ? State.COMPLETE : null;
            case COUNTED, CHUNK_DATA, COMPLETE -> throw new IllegalStateException(state.name());
        };
    }

    private boolean digit(byte octet) {
        int digit = HttpGrammar.hex(octet);
        if (digit >= 0) {
            missing = Math.min(16 * missing + digit, MAX_LENGTH);
        }
        return digit >= 0;
    }

    private static State afterSize(byte octet) {
        return octet == CR ? State.CHUNK_LINE_END : octet == ';' ? State.CHUNK_EXTENSION : null;
    }
}
