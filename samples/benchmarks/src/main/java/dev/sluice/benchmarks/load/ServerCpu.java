package dev.sluice.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The CPU time of a process and its descendants, as proc(5) tells it. */
public final class ServerCpu {

    /** Of the values behind the name of the program in {@code /proc/PID/stat}: utime. */
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    /** The unit of these values, {@code USER_HZ}, which is 100 on every architecture that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private final List<Path> files = new ArrayList<>();

    /**
     * Finds the descendants that there are now.
     *
     * @param process the parent of them all
     */
    public ServerCpu(long process) {
        add(process);
        ProcessHandle.of(process).ifPresent(
                server -> server.descendants().forEach(descendant -> add(descendant.pid())));
    }

    private void add(long process) {
        Path file = Path.of("/proc", Long.toString(process), "stat");
        if (Files.exists(file)) {
            files.add(file);
        }
    }

    /**
     * {@return user and system time, in seconds; not a number where there is no proc(5)}
     *
     * @throws IOException if one of them has ended
     */
    public double seconds() throws IOException {
        if (files.isEmpty()) {
            return Double.NaN;
        }
        long ticks = 0;
        for (Path file : files) {
            String line = Files.readString(file);
            // The name may have blanks and brackets of its own.
            String[] values = line.substring(line.lastIndexOf(')') + 2).split(" ");
            ticks += Long.parseLong(values[USER]) + Long.parseLong(values[SYSTEM]);
        }
        return ticks / TICKS_PER_SECOND;
    }
}
