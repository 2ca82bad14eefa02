package dev.sluice.samples.gnutella.message;

/** Thrown for a stream that cannot consist of messages. The start of the next message is unknown. */
public final class OutOfStepException extends Exception {

    private static final long serialVersionUID = 1;

    /** Why. */
    private final boolean tooLong;

    /**
     * Says so.
     *
     * @param message the problem
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
