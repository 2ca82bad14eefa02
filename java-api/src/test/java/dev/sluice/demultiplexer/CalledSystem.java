package dev.sluice.demultiplexer;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;

/** The system whose demultiplexers are tested: another than the tests run on, where a binding forwards the calls. */
final class CalledSystem {

    /** How much less often a test repeats itself where each call goes to another process, and takes so much longer. */
    private static final int FORWARDING = 20;

    private CalledSystem() {
    }

    static boolean isWindows() {
        return Bindings.current().os() == Platform.Os.WINDOWS;
    }

    /** {@return how often to do what is done so often where calls are fast} */
    static int times(int usual) {
        return Bindings.current().os() == Platform.CURRENT.os() ? usual : usual / FORWARDING;
    }
}
