package dev.sluice.system;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Distinguishes virtual threads from platform threads. */
public final class VirtualThreads {

    /** Null if the virtual machine has no virtual threads. */
    private static final @Nullable MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {
    }

    // Thread.isVirtual(), which does not exist in Java 17.
    private static @Nullable MethodHandle find() {
        try {
            return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual",
                    MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** {@return whether a thread is a virtual thread} */
    public static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) {
            throw new IllegalStateException("Thread.isVirtual", e);
        }
    }
}
