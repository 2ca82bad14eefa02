package dev.sluice.samples.web.protocol;

import static dev.sluice.samples.web.protocol.HttpGrammar.CR;
import static dev.sluice.samples.web.protocol.HttpGrammar.LF;

import java.nio.ByteBuffer;

/** Reads over the content of a request, counted or chunked, up to a limit. */
final class DroppedContent {

    private enum State {
        COUNTED,
        CHUNK_SIZE, CHUNK_SIZE_MORE, CHUNK_BLANK, CHUNK_EXTENSION, CHUNK_LINE_END, CHUNK_DATA, CHUNK_DATA_CR,
        CHUNK_DATA_LF, TRAILER, TRAILER_NAME, TRAILER_VALUE, TRAILER_LINE_END, LAST_LINE_END,
        COMPLETE
    }

    private final int limit;
    private State state = State.COMPLETE;
    /** How many octets may still come, framing included. */
    private long allowance;
    /** How many are still missing of the content or the chunk. */
    private long missing;

    DroppedContent(int limit) {
        this.limit = limit;
    }

    /** Counted content; tells whether it is within the limit. */
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

    boolean isComplete() {
        return state == State.COMPLETE;
    }

    /** Drops what belongs to the content; tells what is wrong with it, or null. */
    Status drop(ByteBuffer in) {
        while (state != State.COMPLETE && in.hasRemaining()) {
            if (state == State.COUNTED || state == State.CHUNK_DATA) {
                dropData(in);
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

    private void dropData(ByteBuffer in) {
        int count = (int) Math.min(missing, in.remaining());
        in.position(in.position() + count);
        missing -= count;
        allowance -= count;
        if (missing == 0) {
            state = state == State.COUNTED ? State.COMPLETE : State.CHUNK_DATA_CR;
        }
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
            missing = Math.min(16 * missing + digit, Integer.MAX_VALUE);
        }
        return digit >= 0;
    }

    private static State afterSize(byte octet) {
        return octet == CR ? State.CHUNK_LINE_END : octet == ';' ? State.CHUNK_EXTENSION : null;
    }
}
