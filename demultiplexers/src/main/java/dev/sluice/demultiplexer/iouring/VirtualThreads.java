package dev.sluice.demultiplexer.iouring;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Distinguishes virtual threads from platform threads. */
final class VirtualThreads {

    /** Null where the virtual machine has no virtual threads. */
    private static final MethodHandle IS_VIRTUAL = isVirtual();

    private VirtualThreads() {
    }

    // Thread.isVirtual(), which Java 17 does not know.
    private static MethodHandle isVirtual() {
        try {
            return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual",
                    MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** {@return whether it is a virtual thread} */
    static boolean include(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) {
            throw new IllegalStateException("Thread.isVirtual", e);
        }
    }
}
