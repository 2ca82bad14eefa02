package dev.sluice.samples.conversation;

/** A filter of what goes out has failed, and with it the connection. */
public final class FailedFilterException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * Makes the exception.
     *
     * @param filter its name
     * @param cause  what it has thrown
     */
    public FailedFilterException(String filter, Throwable cause) {
        super("the filter " + filter + " has failed: " + cause, cause);
    }
}
