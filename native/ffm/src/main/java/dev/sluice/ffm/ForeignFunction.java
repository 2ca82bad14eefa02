package dev.sluice.ffm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import java.util.function.Supplier;

/**
 * A function of a C library, linked when it is called for the first time: to link one, the JVM makes a dozen classes,
 * and no program needs all functions. If that fails, as it does without memory, the next call tries again.
 *
 * <p>To the compiler the target of a call site that is a constant is a constant itself, until it is set: so a call
 * through {@link #handle} costs what a call through a constant handle costs.
 */
final class ForeignFunction extends MutableCallSite {

    private static final MethodHandle NOT_LINKED = MethodHandles.constant(MethodHandle.class, null);

    private final Supplier<MethodHandle> linkage;

    /**
     * Makes a function that is not linked yet.
     *
     * @param linkage links it
     */
    ForeignFunction(Supplier<MethodHandle> linkage) {
        super(NOT_LINKED);
        this.linkage = linkage;
    }

    /** {@return what calls it} */
    MethodHandle handle() throws Throwable {
        MethodHandle linked = (MethodHandle) getTarget().invokeExact();
        return linked != null ? linked : link();
    }

    private synchronized MethodHandle link() throws Throwable {
        MethodHandle linked = (MethodHandle) getTarget().invokeExact();
        if (linked == null) {
            linked = linkage.get();
            setTarget(MethodHandles.constant(MethodHandle.class, linked));
        }
        return linked;
    }
}
