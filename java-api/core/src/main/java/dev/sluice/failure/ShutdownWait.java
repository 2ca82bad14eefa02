package dev.sluice.failure;

import java.util.concurrent.TimeUnit;

/**
 * Bounds the waits of a close while the virtual machine shuts down. {@link System#exit} does not return: a thread that
 * calls it in a hook waits for the shutdown hooks, and so never leaves what it is inside of. A shutdown hook that
 * closes it would wait for that thread forever.
 *
 * <p>A close waits in steps of {@link #STEP_MILLIS}, and calls {@link #requireReturn} after each of them for every
 * thread that it waits for. That costs nothing but a look at the state of the virtual machine until it shuts down, and
 * needs no memory.
 */
public final class ShutdownWait {

    /** Maximum time in milliseconds between two looks. */
    public static final long STEP_MILLIS = 100;

    /** Maximum time that a close waits during the shutdown for a thread that has not called {@link System#exit}. */
    public static final int PATIENCE_SECONDS = 30;

    /** A thread that has never been registered as a shutdown hook. */
    private static final Thread NO_HOOK = new Thread("no shutdown hook");

    private ShutdownWait() {
    }

    /**
     * Checks that a thread which a close waits for can still return.
     *
     * @param closed what is being closed, for the message
     * @param inside the thread; null for none
     * @param began  when the close began to wait, by {@link System#nanoTime()}
     * @throws IllegalStateException if the virtual machine shuts down, and the thread has called {@link System#exit},
     *                               or the close has waited for {@value #PATIENCE_SECONDS} seconds
     */
    public static void requireReturn(Object closed, Thread inside, long began) {
        if (inside == null || inside == Thread.currentThread() || !isShuttingDown()) {
            return;
        }
        if (hasCalledExit(inside)) {
            throw new IllegalStateException("cannot close " + closed + ": " + inside + ", which is inside it, has"
                    + " called Runtime.exit, and never returns; call that in a thread that has left");
        }
        if (System.nanoTime() - began > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
            throw new IllegalStateException("cannot close " + closed + ": the virtual machine shuts down, and " + inside
                    + " has not left within " + PATIENCE_SECONDS + " seconds");
        }
    }

    /** {@return whether shutdown hooks have been started} */
    private static boolean isShuttingDown() {
        try {
            Runtime.getRuntime().removeShutdownHook(NO_HOOK);
            return false;
        } catch (IllegalStateException e) {
            // The only way to find out. It is thrown from the moment on at which the hooks are started.
            return true;
        }
    }

    /** {@return whether a thread is in the part of {@link Runtime#exit} that does not return} */
    private static boolean hasCalledExit(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals("java.lang.Shutdown")) {
                return true;
            }
        }
        return false;
    }
}
