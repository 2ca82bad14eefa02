package dev.sluice.ffm;

import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;

/**
 * A function of a C library, linked when it is called for the first time: no program needs all functions. If that
 * fails, as it does without memory, the next call tries again.
 *
 * <p>A function that sets an error number is called with {@code call}, and takes and returns whole registers, whatever
 * its prototype has: each calling convention that this runs on passes an {@code int} like a {@code long} of the same
 * value, and leaves it to the callee, or the caller, to look at the lower half alone. So functions with equally many
 * parameters have the same type. For each type the JVM makes a dozen classes, which take longer than anything else at
 * the start of a program.
 *
 * <p>The compiler must not take the handle for a constant. It would inline the call into its caller, and where that is
 * already as deep as it inlines ({@code MaxInlineLevel}), as in a loop that never returns, only a part of it: then
 * each call allocates the JDK's slice of the segment for the error number. A handle that is no constant is compiled by
 * itself, always to the end, and the jump there costs a few nanoseconds.
 */
final class ForeignFunction {

    private final Supplier<MethodHandle> linkage;
    // Not volatile: a thread that does not see yet that another one has linked it sees it in link().
    private MethodHandle linked;

    /**
     * Makes a function that is not linked yet.
     *
     * @param linkage links it
     */
    ForeignFunction(Supplier<MethodHandle> linkage) {
        this.linkage = linkage;
    }

    Supplier<MethodHandle> linkage() {
        return linkage;
    }

    /** {@return what calls it} */
    MethodHandle handle() {
        MethodHandle known = linked;
        return known != null ? known : link();
    }

    private synchronized MethodHandle link() {
        if (linked == null) {
            linked = linkage.get();
        }
        return linked;
    }

    // Callers check the result here: as part of the method handle, the JVM would make classes for that at each start.

    /** {@return the result, or if it is -1, the negated error number of this thread's last call} */
    static int unlessMinusOne(int result) {
        return result != -1 ? result : CallState.negatedError();
    }

    /** {@return the result, or if it is -1, the negated error number of this thread's last call} */
    static long unlessMinusOne(long result) {
        return result != -1 ? result : CallState.negatedError();
    }

    /** {@return the result, or if it is 0, the negated error number of this thread's last call} */
    static int unlessZero(int result) {
        return result != 0 ? result : CallState.negatedError();
    }

    /** {@return the result, or if it is 0, the negated error number of this thread's last call} */
    static long unlessZero(long result) {
        return result != 0 ? result : CallState.negatedError();
    }

    // The result is that of the C function; of an int, only the lower half is defined.

    long call() {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get());
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    long call(long a) {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get(), a);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    /** Calls without memory for the error number, which cannot be asked for afterwards. */
    void callUnread(long a) {
        try {
            long ignored = (long) handle().invokeExact(CallState.UNREAD, a);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    long call(long a, long b) {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get(), a, b);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    long call(long a, long b, long c) {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get(), a, b, c);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    long call(long a, long b, long c, long d) {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get(), a, b, c, d);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    long call(long a, long b, long c, long d, long e) {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get(), a, b, c, d, e);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    long call(long a, long b, long c, long d, long e, long f) {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get(), a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    long call(long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get(), a, b, c, d, e, f, g);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    long call(long a, long b, long c, long d, long e, long f, long g, long h) {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get(), a, b, c, d, e, f, g, h);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }

    long call(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
        try {
            return (long) handle().invokeExact(CallState.CURRENT.get(), a, b, c, d, e, f, g, h, i);
        } catch (Throwable thrown) {
            throw CLibrary.unexpected(thrown);
        }
    }
}
