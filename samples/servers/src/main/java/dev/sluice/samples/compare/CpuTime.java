package dev.sluice.samples.compare;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * CPU time used so far, in nanoseconds.
 *
 * @param machine by everything on this machine, on all of its CPUs; 0 if the system does not report it
 * @param process by all threads of the process that measures
 * @param thread  by the thread that makes the load
 */
record CpuTime(long machine, long process, long thread) {

    private static final Path STATISTICS = Path.of("/proc/stat");
    /** USER_HZ, which is the same in every Linux whatever its kernel counts in (time(7)). */
    private static final long NANOS_PER_TICK = TimeUnit.SECONDS.toNanos(1) / 100;

    // In the first line, which is about all CPUs, after the name (proc_stat(5)). The time of guests is in that of the
    // user as well. Stolen time is what the host has given to others.
    private static final int[] BUSY = {1, 2, 3, 6, 7, 8};

    /** {@return what has been used until now; called by the thread that makes the load} */
    static CpuTime now() throws IOException {
        long machine = Files.isReadable(STATISTICS) ? machine(Files.readString(STATISTICS)) : 0;
        return new CpuTime(machine,
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime(),
                ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }

    /** {@return what all CPUs have been busy for, by the contents of /proc/stat} */
    static long machine(String statistics) {
        String[] fields = statistics.lines().findFirst().orElse("").split(" +");
        long ticks = 0;
        for (int field : BUSY) {
            ticks += field < fields.length ? Long.parseLong(fields[field]) : 0;
        }
        return ticks * NANOS_PER_TICK;
    }

    CpuTime minus(CpuTime before) {
        return new CpuTime(machine - before.machine, process - before.process, thread - before.thread);
    }

    /**
     * {@return what has been used by neither the process that measures nor the server, and not less than nothing: the
     * machine counts in ticks, and the processes exactly}
     *
     * @param server what the server has used
     */
    long others(long server) {
        return Math.max(machine - process - server, 0);
    }

    /** {@return whether the system reports the CPU time of the machine} */
    boolean isOfMachine() {
        return machine > 0;
    }
}
