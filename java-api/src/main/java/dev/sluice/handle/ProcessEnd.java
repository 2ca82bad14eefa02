package dev.sluice.handle;

/**
 * How a process has ended.
 *
 * @param code       what it returned, 0 to 255; 0 if a signal ended it
 * @param signal     the signal that ended it, 0 if it ended by itself
 * @param dumpedCore whether the system has written a core dump of it
 */
public record ProcessEnd(int code, int signal, boolean dumpedCore) {

    /** {@return whether it ended by itself, and not by a signal} */
    public boolean isExit() {
        return signal == 0;
    }
}
