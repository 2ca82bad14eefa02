package dev.sluice.jna;

import com.sun.jna.Native;
import dev.sluice.calls.Errno;

/** What a function of the C library returns if it fails, and what stands in for one that the library lacks. */
final class Failure {

    /** What stands in for a function that the library lacks returns this, as an int or a long; no function does. */
    static final long ABSENT = -2;

    private Failure() {
    }

    /** {@return the result, or if the call failed, the negated error number} */
    static int unlessNegative(int result) {
        return result >= 0 ? result : negatedError(result);
    }

    /** {@return the result, or if the call failed, the negated error number} */
    static long unlessNegative(long result) {
        return result >= 0 ? result : negatedError(result);
    }

    private static int negatedError(long result) {
        return result == ABSENT ? -Errno.ENOSYS.number() : -Native.getLastError();
    }
}
