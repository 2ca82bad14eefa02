package dev.sluice.samples.oltp.resp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts what a server sends into replies, and leaves their octets as they are, to be passed on. Not thread-safe.
 */
public final class ReplyParser {

    /** What {@link #parse} has come to. */
    public enum Outcome {
        /** All octets are consumed and more are needed. */
        INCOMPLETE,
        /** There is a reply; what follows it is not consumed. */
        COMPLETE,
        /** This is no reply, and there will be none. */
        MALFORMED
    }

    private enum State { TYPE, LINE, LINE_END, BODY }

    private static final int FIRST_CAPACITY = 256;
    private static final int LARGEST = 1 << 20;

    private byte[] octets = new byte[FIRST_CAPACITY];
    private int length;
    private State state = State.TYPE;
    private boolean complete;
    private boolean broken;

    private byte type;
    private int lineStart;
    /** Replies that have to come until the outermost one is complete. */
    private long missing = 1;
    private long bodyLeft;

    /** Creates a parser for one connection. */
    public ReplyParser() {
    }

    /**
     * Goes on until a reply is complete.
     *
     * @param in the bytes received; consumed as far as the outcome says
     * @return the outcome; {@link Outcome#MALFORMED} again and again once it was
     */
    public Outcome parse(ByteBuffer in) {
        if (complete) {
            complete = false;
            length = 0;
            missing = 1;
        }
        while (in.hasRemaining() && !complete && !broken) {
            if (state == State.BODY) {
                body(in);
            } else {
                step(in.get());
            }
        }
        if (broken) {
            return Outcome.MALFORMED;
        }
        return complete ? Outcome.COMPLETE : Outcome.INCOMPLETE;
    }

    /** {@return whether the complete reply is an array of two whose first element is an integer} */
    public boolean isTagged() {
        return length > 5 && octets[0] == '*' && octets[1] == '2' && octets[2] == '\r' && octets[4] == ':'
                && tagEnd() > 5;
    }

    /** {@return where the line of the tag ends, or 0 if it holds something else} */
    private int tagEnd() {
        int at = 5;
        while (octets[at] >= '0' && octets[at] <= '9') {
            at++;
        }
        // More digits than these might not fit.
        return octets[at] == '\r' && at - 5 <= 18 ? at : 0;
    }

    /** {@return the tag of a reply that {@link #isTagged}} */
    public long tag() {
        long tag = 0;
        for (int at = 5; octets[at] != '\r'; at++) {
            tag = 10 * tag + octets[at] - '0';
        }
        return tag;
    }

    /** {@return a copy of what is tagged in a reply that {@link #isTagged}: another reply} */
    public byte[] tagged() {
        return Arrays.copyOfRange(octets, tagEnd() + 2, length);
    }

    private void step(byte octet) {
        append(octet);
        switch (state) {
            case TYPE -> {
                type = octet;
                lineStart = length;
                state = State.LINE;
                broken |= "+-:$*".indexOf(octet) < 0;
            }
            case LINE -> {
                broken |= octet == '\n';
                state = octet == '\r' ? State.LINE_END : State.LINE;
            }
            case LINE_END -> {
                if (octet == '\n') {
                    lineEnds();
                } else {
                    broken = true;
                }
            }
            default -> throw new IllegalStateException(state.toString());
        }
    }

    private void append(byte octet) {
        reserve(1);
        if (!broken) {
            octets[length++] = octet;
        }
    }

    private void reserve(int amount) {
        if (length + amount > LARGEST) {
            broken = true;
        } else if (length + amount > octets.length) {
            octets = Arrays.copyOf(octets, Math.max(length + amount, 2 * octets.length));
        }
    }

    private void lineEnds() {
        state = State.TYPE;
        missing--;
        if (type == '$' || type == '*') {
            long number = number();
            if (type == '*') {
                missing += Math.max(0, number);
            } else if (number >= 0) {
                missing++;
                bodyLeft = number + 2;
                state = State.BODY;
            }
        }
        complete = missing == 0;
    }

    /** The number in the line; -1 is the null. */
    private long number() {
        int end = length - 2;
        if (end - lineStart == 2 && octets[lineStart] == '-' && octets[lineStart + 1] == '1') {
            return -1;
        }
        long number = 0;
        for (int at = lineStart; at < end; at++) {
            broken |= octets[at] < '0' || octets[at] > '9' || number > LARGEST;
            number = 10 * number + octets[at] - '0';
        }
        broken |= end == lineStart || number > LARGEST;
        return number;
    }

    private void body(ByteBuffer in) {
        int amount = (int) Math.min(bodyLeft, in.remaining());
        reserve(amount);
        if (broken) {
            return;
        }
        in.get(octets, length, amount);
        length += amount;
        bodyLeft -= amount;
        if (bodyLeft == 0) {
            broken |= octets[length - 2] != '\r' || octets[length - 1] != '\n';
            state = State.TYPE;
            missing--;
            complete = missing == 0;
        }
    }
}
