package dev.sluice.demultiplexer;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;

/** The system whose demultiplexers are tested: another than the tests run on, where a binding forwards the calls. */
public final class CalledSystem {

    /** The JUnit tag of a part of a contract that is for Windows alone. */
    public static final String ONLY_WINDOWS = "only-windows";

    /** The JUnit tag of a test, or a part of a contract, that is not for Windows. */
    public static final String NOT_WINDOWS = "not-windows";

    /** How much less often a test repeats itself where each call goes to another process, and takes so much longer. */
    private static final int FORWARDING = 20;

    private CalledSystem() {
    }

    /** {@return whether it is Windows} */
    public static boolean isWindows() {
        return Bindings.current().os() == Platform.Os.WINDOWS;
    }

    /** {@return whether it is not Windows itself, from which it differs where the tests say so} */
    public static boolean isWine() {
        return isWindows() && isForwarded();
    }

    private static boolean isForwarded() {
        return Bindings.current().os() != Platform.CURRENT.os();
    }

    /**
     * How often to do something.
     *
     * @param usual how often where calls are fast
     * @return how often here
     */
    public static int times(int usual) {
        return isForwarded() ? usual / FORWARDING : usual;
    }
}
