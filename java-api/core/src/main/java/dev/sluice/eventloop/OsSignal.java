package dev.sluice.eventloop;

/** The signals that a process may want to handle. */
public enum OsSignal {
    /** The terminal was closed; by convention, reload the configuration. */
    HUP,
    /** Interrupted from the keyboard. */
    INT,
    /** Request to terminate. */
    TERM,
    /** User-defined. The Java virtual machine leaves {@code USR1} to programs and uses {@code USR2} itself. */
    USR1,
    /** The size of the terminal has changed. */
    WINCH,
    /** Continued after a stop. */
    CONT,
    /** Urgent data has arrived; usually handled by {@link dev.sluice.reactor.EventHandler#handleException} instead. */
    URG,
    /** A child process has ended. */
    CHLD;

    /** {@return for example {@code SIGTERM}} */
    @Override
    public String toString() {
        return "SIG" + name();
    }
}
