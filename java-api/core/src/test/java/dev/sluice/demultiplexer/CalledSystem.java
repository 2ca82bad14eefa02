package dev.sluice.demultiplexer;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.testing.WineDifference;

/** The operating system whose demultiplexers are tested. */
public final class CalledSystem {

    /** The JUnit tag of a part of a contract that is for Windows alone. */
    public static final String ONLY_WINDOWS = "only-windows";

    /** The JUnit tag of a test, or a part of a contract, that is not for Windows. */
    public static final String NOT_WINDOWS = "not-windows";

    private CalledSystem() {
    }

    /** {@return whether it is Windows} */
    public static boolean isWindows() {
        return Bindings.current().os() == Platform.Os.WINDOWS;
    }

    /**
     * Adapts a number of repetitions to the speed of system calls.
     *
     * @param usual the number if calls are fast
     * @return the number for this system
     */
    public static int times(int usual) {
        return WineDifference.times(usual);
    }
}
