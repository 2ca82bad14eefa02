package dev.sluice.samples.server;

import java.io.IOException;

/** The value of an option may be all right, but the system has nothing, or nothing usable, that it stands for. */
public final class UnusableOptionException extends IOException {

    private static final long serialVersionUID = 1;

    private final String option;

    /**
     * Creates the exception.
     *
     * @param option  its name
     * @param problem the problem, beginning with the value
     * @param cause   what the system has said
     */
    public UnusableOptionException(String option, String problem, Throwable cause) {
        super(option + " " + problem, cause);
        this.option = option;
    }

    /** {@return the name of the option} */
    public String option() {
        return option;
    }
}
