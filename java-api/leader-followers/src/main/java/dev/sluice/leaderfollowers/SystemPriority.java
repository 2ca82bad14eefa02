package dev.sluice.leaderfollowers;

import dev.sluice.calls.Errno;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;

/**
 * The priority by which the operating system schedules a thread. On Linux, unless Java was started with
 * {@code -XX:ThreadPriorityPolicy=1}, {@link Thread#setPriority} does not change it: all threads have the nice value of
 * the process. So a pool of {@link PromotionOrder#PRIORITY} promotes the thread of the highest priority first, but the
 * system runs it no sooner than the others, until each thread has called {@link #adopt()}.
 */
public final class SystemPriority {

    /** RLIMIT_NICE allows nice values down to this number less the limit (getrlimit(2)). */
    private static final int ZERO_OF_THE_LIMIT = 20;

    private SystemPriority() {
    }

    /**
     * Makes the system schedule the calling thread by its current {@link Thread#getPriority()}; must be called again
     * when that has changed. Its nice value is the same as with {@code -XX:ThreadPriorityPolicy=1}: from 4 for the
     * lowest priority through 0 for {@link Thread#NORM_PRIORITY} to -5 for the highest. Does nothing on Windows, where
     * Java sets the system's priority itself. Not for virtual threads: the system schedules their carriers.
     *
     * <p>Any thread may lower its priority. Raising it, even to where it was, takes a privilege on Linux:
     * {@code CAP_SYS_NICE}, or a limit {@code RLIMIT_NICE} of at least 20 less the nice value.
     *
     * @throws SystemCallException           if the system refuses, and names the missing privilege or limit; the thread
     *                                       keeps its priority
     * @throws UnsupportedOperationException on macOS and BSD, where only processes have a nice value
     */
    public static void adopt() throws SystemCallException {
        OperatingSystem system = OperatingSystem.current();
        if (system.followsJavaPriorities()) {
            return;
        }
        Thread thread = Thread.currentThread();
        int nice = Thread.NORM_PRIORITY - thread.getPriority();
        int result = system.setNiceValue(nice);
        if (result < 0) {
            throw new SystemCallException("setpriority", subject(thread, nice, result), result);
        }
    }

    private static String subject(Thread thread, int nice, int result) {
        String subject = "nice " + nice + " for thread " + thread.getName();
        return Errno.EACCES.is(result) || Errno.EPERM.is(result)
                ? subject + ", which requires CAP_SYS_NICE or an RLIMIT_NICE of " + (ZERO_OF_THE_LIMIT - nice)
                : subject;
    }
}
