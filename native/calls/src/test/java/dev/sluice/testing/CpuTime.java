package dev.sluice.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processor time of this process and of the machine, in microseconds. */
final class CpuTime {

    private static final Path OWN = Path.of("/proc/self/stat");
    private static final Path MACHINE = Path.of("/proc/stat");
    /** The kernel counts in hundredths of a second for all programs (proc(5), USER_HZ). */
    private static final long MICROS_PER_TICK = 10_000;

    private CpuTime() {
    }

    /** {@return the time of this process, and of those that it has started and that have ended; 0 without a /proc} */
    static long ofProcess() {
        try {
            // The second field is the name of the program in parentheses and may contain anything.
            String line = Files.readString(OWN);
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return sum(fields, 11, 15);
        } catch (IOException e) {
            return 0;
        }
    }

    /** {@return the time in which a processor of the machine was busy; 0 where there is no /proc} */
    static long ofMachine() {
        try {
            String[] fields = Files.readString(MACHINE).lines().findFirst().orElseThrow().split(" +");
            // user, nice, system, idle, iowait, irq, softirq
            return sum(fields, 1, 4) + sum(fields, 6, 8);
        } catch (IOException e) {
            return 0;
        }
    }

    private static long sum(String[] ticks, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += Long.parseLong(ticks[i]);
        }
        return sum * MICROS_PER_TICK;
    }
}
