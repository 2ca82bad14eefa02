package dev.sluice.eventloop;

/** The signals that a process may want to handle. */
public enum OsSignal {
    /** The terminal is gone; by convention, read the configuration again. */
    HUP,
    /** Interrupted from the keyboard. */
    INT,
    /** Asked to terminate. */
    TERM,
    /** For the program to define. The Java virtual machine keeps {@code USR1} free and {@code USR2} for itself. */
    USR1,
    /** The terminal has another size. */
    WINCH,
    /** Continued after a stop. */
    CONT,
    /** Urgent data arrived; {@link dev.sluice.reactor.EventHandler#handleException} is the usual way to hear of it. */
    URG,
    /** A child process has ended. */
    CHLD;

    /** {@return for example {@code SIGTERM}} */
    @Override
    public String toString() {
        return "SIG" + name();
    }
}
