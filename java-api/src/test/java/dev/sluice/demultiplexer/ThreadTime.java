package dev.sluice.demultiplexer;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How long a thread has used a CPU: unlike a clock it tells a wait that sleeps from one that spins. */
final class ThreadTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ThreadTime() {
    }

    static long ofCurrentThread() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
