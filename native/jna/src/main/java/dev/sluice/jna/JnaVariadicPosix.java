package dev.sluice.jna;

import com.sun.jna.Library;
import com.sun.jna.Native;

/**
 * {@link JnaPosix} for Apple silicon, where variadic arguments are passed on the stack. Direct mapping would put them
 * into registers; JNA's interface mapping recognizes them by Java's own {@code ...}. That allocates, but these
 * functions are not called on a hot path.
 */
final class JnaVariadicPosix extends JnaPosix {

    /** The functions with {@code ...} in their prototypes, by interface mapping. */
    interface C extends Library {

        int open(long path, int flags, Object... mode);

        int openat(int directory, long path, int flags, Object... mode);

        int fcntl(int fd, int command, Object... argument);
    }

    private static final C C = Native.load("c", C.class);

    @Override
    public int open(long path, int flags, int mode) {
        return Failure.unlessNegative(C.open(path, flags, mode));
    }

    @Override
    public int openat(int directory, long path, int flags, int mode) {
        return Failure.unlessNegative(C.openat(directory, path, flags, mode));
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return Failure.unlessNegative(C.fcntl(fd, command, argument));
    }

    /** {@code fcntl} with a pointer. */
    static int fcntl(int fd, int command, long argument) {
        return Failure.unlessNegative(C.fcntl(fd, command, argument));
    }
}
