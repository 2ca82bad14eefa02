package dev.sluice.ffm;

import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;

/**
 * A function of a C library, linked when it is called for the first time: to link one, the JVM makes a dozen classes,
 * and no program needs all functions. If that fails, as it does without memory, the next call tries again.
 *
 * <p>The compiler must not take the handle for a constant. It would inline the call into its caller, and where that is
 * already as deep as it inlines ({@code MaxInlineLevel}), as in a loop that never returns, only a part of it: then
 * each call allocates the JDK's slice of the segment for the error number. A handle that is no constant is compiled by
 * itself, always to the end, and the jump there costs a few nanoseconds.
 */
final class ForeignFunction {

    private final Supplier<MethodHandle> linkage;
    // Not volatile: whoever does not see yet that another thread has linked it sees so in link().
    private MethodHandle linked;

    /**
     * Makes a function that is not linked yet.
     *
     * @param linkage links it
     */
    ForeignFunction(Supplier<MethodHandle> linkage) {
        this.linkage = linkage;
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
}
