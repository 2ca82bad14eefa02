package dev.sluice.samples.server;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's virtual threads, which it has from 21 on. */
public final class VirtualThreads {

    private static final int SINCE = 21;
    /** {@code Thread.isVirtual}; null if there is no such method here. */
    private static final MethodHandle QUESTION = question();

    private VirtualThreads() {
    }

    private static MethodHandle question() {
        if (unavailable() != null) {
            return null;
        }
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            throw absent(e);
        }
    }

    /** {@return whether the calling thread is a virtual thread} */
    public static boolean isCurrent() {
        try {
            return QUESTION != null && (boolean) QUESTION.invokeExact(Thread.currentThread());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw absent(e);
        }
    }

    /** {@return why there are none here, null if there are} */
    public static String unavailable() {
        int here = Runtime.version().feature();
        return here >= SINCE ? null : "needs Java " + SINCE + " or newer, and this is " + here;
    }

    /** {@return an executor that runs each task in a virtual thread of its own} */
    public static ExecutorService newExecutor() {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw absent(e);
        }
    }

    private static UnsupportedOperationException absent(Throwable cause) {
        return new UnsupportedOperationException("a virtual thread " + unavailable(), cause);
    }
}
