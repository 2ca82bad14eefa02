package dev.sluice.samples.gnutella.message;

/** A stream that cannot be one of messages. Where the next one begins, nobody can know. */
public final class OutOfStepException extends Exception {

    private static final long serialVersionUID = 1;

    /** Why. */
    private final boolean tooLong;

    /**
     * Says so.
     *
     * @param message what is wrong
     * @param tooLong whether a message would be longer than any can be
     */
    OutOfStepException(String message, boolean tooLong) {
        super(message);
        this.tooLong = tooLong;
    }

    /** {@return whether a message would be longer than any can be; otherwise its type cannot have the length} */
    public boolean isTooLong() {
        return tooLong;
    }
}
