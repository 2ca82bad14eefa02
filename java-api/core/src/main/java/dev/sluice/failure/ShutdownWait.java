package dev.sluice.failure;

import java.util.concurrent.TimeUnit;

/**
 * Bounds the waits of a close while the virtual machine shuts down. {@link System#exit} does not return: a thread that
 * calls it in a hook waits for the shutdown hooks, and so never leaves the event loop or pool. A shutdown hook that
 * closes the loop or pool would wait for that thread forever.
 *
 * <p>A close waits in steps of {@link #STEP_MILLIS}, and calls {@link #requireReturn} after each step for each thread
 * that it waits for. Until the virtual machine shuts down, that only checks the state of the virtual machine, and does
 * not allocate.
 */
public final class ShutdownWait {

    /** Maximum time in milliseconds between two checks. */
    public static final long STEP_MILLIS = 100;

    /**
     * Maximum time in seconds that a close waits during the shutdown for a thread that has not called
     * {@link System#exit}.
     */
    public static final int TIMEOUT_SECONDS = 30;

    /** A thread that has never been registered as a shutdown hook. */
    private static final Thread NO_HOOK = new Thread("no shutdown hook");

    private ShutdownWait() {
    }

    /**
     * Checks that a thread that a close waits for can still return.
     *
     * @param closed the object that is being closed, for the message
     * @param inside the thread; null for none
     * @param began  the {@link System#nanoTime()} at which the close began to wait
     * @throws IllegalStateException if the virtual machine shuts down, and the thread has called {@link System#exit},
     *                               or the close has waited for {@value #TIMEOUT_SECONDS} seconds
     */
    public static void requireReturn(Object closed, Thread inside, long began) {
        if (inside == null || inside == Thread.currentThread() || !isShuttingDown()) {
            return;
        }
        if (hasCalledExit(inside)) {
            throw new IllegalStateException("cannot close " + closed + ": " + inside + " has called"
                    + " Runtime.exit inside it and never returns; call exit on a thread that has left");
        }
        if (System.nanoTime() - began > TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS)) {
            throw new IllegalStateException("cannot close " + closed + ": the virtual machine shuts down, and " + inside
                    + " has not left within " + TIMEOUT_SECONDS + " seconds");
        }
    }

    /** {@return whether shutdown hooks have been started} */
    private static boolean isShuttingDown() {
        try {
            Runtime.getRuntime().removeShutdownHook(NO_HOOK);
            return false;
        } catch (IllegalStateException e) {
            // This exception is the only indication. It is thrown as soon as the shutdown hooks have been started.
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
