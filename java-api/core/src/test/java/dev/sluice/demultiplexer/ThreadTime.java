package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time of a thread: unlike a clock, it distinguishes a wait that sleeps from one that spins. */
final class ThreadTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** Long compared with a tick of the coarsest clock: that of Windows is 15.6 ms. */
    private static final long MANY_TICKS = 500_000_000;

    private ThreadTime() {
    }

    /** A wait that times out. */
    interface Wait<E extends Exception> {

        /** Waits. Returns the CPU time that the wait has used, in nanoseconds. */
        long waitFor(long nanos) throws E;
    }

    static long ofCurrentThread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** Fails if the wait uses the CPU for half of its time. A short wait is repeated as a long one before that. */
    static <E extends Exception> void assertSleeps(long nanos, Wait<E> wait) throws E {
        long cpu = wait.waitFor(nanos);
        if (cpu >= nanos / 2 && nanos < MANY_TICKS) {
            assertSleeps(MANY_TICKS, wait);
        } else {
            assertTrue(cpu < nanos / 2, () -> "used the CPU for " + cpu + " of " + nanos + " ns: it spins");
        }
    }
}
