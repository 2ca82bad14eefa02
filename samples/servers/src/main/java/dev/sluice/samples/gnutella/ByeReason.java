package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.message.Message;
import dev.sluice.samples.gnutella.message.Messages;

/** The reason why a neighbour is closed. The codes are those of the Bye message. */
enum ByeReason {

    /** The router is being stopped. */
    STOPPED(200, "going down"),
    /** The neighbour has requested it, or sends no more. */
    ITS_OWN(200, "as you like"),
    /** A message would be longer than 64 KiB. */
    TOO_BIG(400, "too big a message"),
    /** It sends nothing, not even an answer to a ping. */
    SILENT(408, "silent for too long"),
    /** A message cannot be as long as its header says. */
    OUT_OF_STEP(501, "out of step"),
    /** It does not read what it is sent. */
    TOO_SLOW(502, "too slow: send queue full");

    private final int code;
    private final String reason;

    ByeReason(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    /** {@return a message with the reason} */
    Message bye() {
        return Messages.bye(code, reason);
    }

    /** {@return for example {@code out of step}} */
    @Override
    public String toString() {
        return reason;
    }
}
