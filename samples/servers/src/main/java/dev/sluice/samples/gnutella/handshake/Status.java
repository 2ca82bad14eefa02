package dev.sluice.samples.gnutella.handshake;

/** The status by which a servent of 0.6 accepts or refuses: a code and a word, as in HTTP. */
public enum Status {

    /** It accepts. */
    OK(200, "OK"),
    /** The greeting makes no sense. */
    BAD(400, "Bad Request"),
    /** The greeting took too long. */
    LATE(408, "Request Timeout"),
    /** The greeting is too long. */
    TOO_LARGE(431, "Request Header Fields Too Large"),
    /** It has as many neighbours as it wants. */
    BUSY(503, "Busy");

    private final int code;
    private final String word;

    Status(int code, String word) {
        this.code = code;
        this.word = word;
    }

    /** {@return as in the first line of an answer} */
    @Override
    public String toString() {
        return code + " " + word;
    }
}
