package dev.sluice.samples.oltp.resp;

import java.nio.ByteBuffer;

/** Cuts what a client sends into requests. Not thread-safe. */
public final class RequestParser {

    /** What {@link #parse} has come to. */
    public enum Outcome {
        /** All octets are consumed and more are needed. */
        INCOMPLETE,
        /** There is a request; what follows it is not consumed. */
        COMPLETE,
        /** This is no request, and there will be none. */
        MALFORMED
    }

    private enum State { START, INLINE, COUNT, DOLLAR, LENGTH, BODY, BODY_CR, BODY_LF, BROKEN }

    /** Digits of a count or length: more than any limit has, and no overflow. */
    private static final int MAX_DIGITS = 9;
    private static final int SHOWN = ' ';

    private final Limits limits;
    private final Request request = new Request();
    private State state = State.START;
    private boolean complete;
    private String complaint;

    /** The number that is being read, or has been. */
    private int number;
    private int digits;
    private boolean negative;
    private boolean sawCr;

    private int argumentsLeft;
    private int octetsLeft;

    /**
     * Creates a parser for one connection.
     *
     * @param limits what is larger is malformed
     */
    public RequestParser(Limits limits) {
        this.limits = limits;
    }

    /**
     * Goes on until a request is complete.
     *
     * @param in the bytes received; consumed as far as the outcome says
     * @return the outcome; {@link Outcome#MALFORMED} again and again once it was
     */
    public Outcome parse(ByteBuffer in) {
        if (complete) {
            complete = false;
            request.clear();
        }
        while (in.hasRemaining() && !complete && state != State.BROKEN) {
            if (state == State.BODY) {
                body(in);
            } else {
                step(in.get());
            }
        }
        if (state == State.BROKEN) {
            return Outcome.MALFORMED;
        }
        return complete ? Outcome.COMPLETE : Outcome.INCOMPLETE;
    }

    /** {@return the request that is complete; valid until {@link #parse} is called again} */
    public Request request() {
        return request;
    }

    /** {@return what is malformed, a few words} */
    public String complaint() {
        return complaint;
    }

    private void step(byte octet) {
        switch (state) {
            case START -> {
                if (octet == '*') {
                    expectNumber(State.COUNT);
                } else {
                    state = State.INLINE;
                    inline(octet);
                }
            }
            case INLINE -> inline(octet);
            case COUNT -> {
                if (numberEnds(octet, "invalid multibulk length")) {
                    count();
                }
            }
            case DOLLAR -> {
                if (octet == '$') {
                    expectNumber(State.LENGTH);
                } else {
                    broken("expected '$', got '" + (octet > SHOWN && octet < 0x7F ? (char) octet : '?') + "'");
                }
            }
            case LENGTH -> {
                if (numberEnds(octet, "invalid bulk length")) {
                    length();
                }
            }
            case BODY_CR -> expect('\r', octet, State.BODY_LF);
            case BODY_LF -> {
                expect('\n', octet, State.DOLLAR);
                if (state == State.DOLLAR) {
                    endArgument();
                }
            }
            default -> throw new IllegalStateException(state.toString());
        }
    }

    private void inline(byte octet) {
        if (octet > ' ' || octet < 0) {
            if (request.length() == limits.octets()) {
                broken("too big inline request");
            } else {
                request.append(octet);
            }
            return;
        }
        if (octet != ' ' && octet != '\t' && octet != '\r' && octet != '\n') {
            broken("control character in inline request");
            return;
        }
        if (request.partialLength() > 0) {
            if (request.count() == limits.arguments()) {
                broken("too many arguments");
                return;
            }
            request.endArgument();
        }
        if (octet == '\n') {
            endInline();
        }
    }

    private void endInline() {
        if (request.isHttp()) {
            broken("this is HTTP");
            return;
        }
        state = State.START;
        // An empty line asks for nothing.
        complete = request.count() > 0;
    }

    private void expectNumber(State next) {
        state = next;
        number = 0;
        digits = 0;
        negative = false;
        sawCr = false;
    }

    /** Takes an octet of a number's line; returns whether it was the last one. */
    private boolean numberEnds(byte octet, String complaint) {
        if (sawCr && octet == '\n') {
            return true;
        }
        if (!sawCr && octet >= '0' && octet <= '9' && digits < MAX_DIGITS) {
            number = 10 * number + octet - '0';
            digits++;
        } else if (!sawCr && octet == '-' && digits == 0 && !negative) {
            negative = true;
        } else if (!sawCr && octet == '\r' && digits > 0) {
            sawCr = true;
        } else {
            broken(complaint);
        }
        return false;
    }

    private void count() {
        if (negative || number == 0) {
            // The null array and the empty one ask for nothing, to Redis.
            state = State.START;
        } else if (number > limits.arguments()) {
            broken("invalid multibulk length");
        } else {
            argumentsLeft = number;
            state = State.DOLLAR;
        }
    }

    private void length() {
        if (negative || number > limits.octets() - request.length()) {
            broken("invalid bulk length");
        } else {
            octetsLeft = number;
            state = number > 0 ? State.BODY : State.BODY_CR;
        }
    }

    private void body(ByteBuffer in) {
        int amount = Math.min(octetsLeft, in.remaining());
        request.append(in, amount);
        octetsLeft -= amount;
        if (octetsLeft == 0) {
            state = State.BODY_CR;
        }
    }

    private void endArgument() {
        request.endArgument();
        argumentsLeft--;
        if (argumentsLeft == 0) {
            state = State.START;
            complete = true;
        }
    }

    private void expect(char expected, byte octet, State next) {
        if (octet == expected) {
            state = next;
        } else {
            broken("bulk string without its end");
        }
    }

    private void broken(String why) {
        complaint = why;
        state = State.BROKEN;
    }
}
