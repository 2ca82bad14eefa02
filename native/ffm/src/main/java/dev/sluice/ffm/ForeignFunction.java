package dev.sluice.ffm;

import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A function of a C library, which is linked by its first call, because no program needs all functions. If linking
 * fails, for example for lack of memory, the next call tries again.
 *
 * <p>A function that sets an error number is called by {@code call}, and its parameters and result are whole registers,
 * whatever its prototype has: each supported calling convention passes an {@code int} like a {@code long} of the same
 * value, and the callee or caller uses the lower half only. So functions with the same number of parameters have the
 * same type. For each type the JVM generates a dozen classes, which takes most of the time at the start of a program.
 *
 * <p>The handle must not be a constant for the compiler. It would inline the call into its caller, and near the limit
 * of nested inlining ({@code MaxInlineLevel}) only a part of the call: then each call allocates the JDK's slice of the
 * segment for the error number. A handle that is not a constant is compiled separately and completely, and the jump to
 * it costs a few nanoseconds.
 */
final class ForeignFunction {

    private final Supplier<MethodHandle> linkage;
    // Not volatile: a thread that does not see the handle of another thread yet finds it in link().
    private @Nullable MethodHandle linked;

    /**
     * Creates a function, which is not linked yet.
     *
     * @param linkage links the function
     */
    ForeignFunction(Supplier<MethodHandle> linkage) {
        this.linkage = linkage;
    }

    Supplier<MethodHandle> linkage() {
        return linkage;
    }

    /** {@return the handle of the function} */
    MethodHandle handle() {
        MethodHandle known = linked;
        return known != null ? known : link();
    }

    private synchronized MethodHandle link() {
        MethodHandle handle = linked;
        if (handle == null) {
            handle = linkage.get();
            linked = handle;
        }
        return handle;
    }

    // Callers check the result by these methods. For checks in the method handle, the JVM would generate classes at
    // each start.

    /** {@return the result, or the negated error number of this thread's last call if the result is -1} */
    static int unlessMinusOne(int result) {
        return result != -1 ? result : CallState.negatedError();
    }

    /** {@return the result, or the negated error number of this thread's last call if the result is -1} */
    static long unlessMinusOne(long result) {
        return result != -1 ? result : CallState.negatedError();
    }

    /** {@return the result, or the negated error number of this thread's last call if the result is 0} */
    static int unlessZero(int result) {
        return result != 0 ? result : CallState.negatedError();
    }

    /** {@return the result, or the negated error number of this thread's last call if the result is 0} */
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

    /** Calls the function without memory for the error number, which is not available afterwards. */
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
