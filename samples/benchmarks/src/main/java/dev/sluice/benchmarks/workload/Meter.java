package dev.sluice.benchmarks.workload;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures what this process has used since the meter was made. */
public final class Meter {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long allocated = THREADS.getTotalThreadAllocatedBytes();
    private final long processor = ProcessorTime.ofProcess();
    private final long start = System.nanoTime();

    /** Begins. */
    public Meter() {
    }

    /** {@return the nanoseconds that have passed} */
    public long nanos() {
        return System.nanoTime() - start;
    }

    /** {@return the nanoseconds that processors have worked for the process} */
    public long processorNanos() {
        return ProcessorTime.ofProcess() - processor;
    }

    /** {@return the bytes of the heap that all threads have taken} */
    public long allocated() {
        return THREADS.getTotalThreadAllocatedBytes() - allocated;
    }
}
