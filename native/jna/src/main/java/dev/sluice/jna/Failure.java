package dev.sluice.jna;

import com.sun.jna.Native;
import dev.sluice.calls.Errno;

/** Handles failures of functions of the C library, and functions that the library lacks. */
final class Failure {

    /** The result of the replacement of a missing function, as an int or a long, which no function returns. */
    static final long ABSENT = -2;

    private Failure() {
    }

    /** {@return the result, or the negated error number if the call has failed} */
    static int unlessNegative(int result) {
        return result >= 0 ? result : negatedError(result);
    }

    /** {@return the result, or the negated error number if the call has failed} */
    static long unlessNegative(long result) {
        return result >= 0 ? result : negatedError(result);
    }

    /** {@return the negated result of a function that returns its error number, or 0} */
    static int unlessZero(int result) {
        return result >= 0 ? -result : negatedError(result);
    }

    private static int negatedError(long result) {
        return result == ABSENT ? -Errno.ENOSYS.number() : -Native.getLastError();
    }
}
