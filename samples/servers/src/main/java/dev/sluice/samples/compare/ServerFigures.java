package dev.sluice.samples.compare;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The resources that a process has used since its start.
 *
 * @param switches how often its threads have left a CPU, to wait or because another had its turn; not a number where
 *                 the system does not count it
 * @param bytes    allocated on the heap
 * @param cpuNanos of all its threads
 */
record ServerFigures(double switches, long bytes, long cpuNanos) {

    /** One directory per thread: the counts of /proc/self/status are those of the first thread alone (proc(5)). */
    private static final Path THREADS = Path.of("/proc/self/task");

    private static final String SWITCHES = "ctxt_switches:";

    /** {@return the figures of this process, without the cost of reading them} */
    static ServerFigures now() throws IOException {
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new ServerFigures(switchesOfAllThreads(), bytesOfOtherThreads(), process.getProcessCpuTime());
    }

    private static double switchesOfAllThreads() throws IOException {
        if (!Files.isDirectory(THREADS)) {
            return Double.NaN;
        }
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                sum += switches(thread.resolve("status"));
            }
        }
        return sum;
    }

    private static long switches(Path status) throws IOException {
        long sum = 0;
        try {
            for (String line : Files.readAllLines(status)) {
                int name = line.indexOf(SWITCHES);
                if (name >= 0) {
                    sum += Long.parseLong(line.substring(name + SWITCHES.length()).strip());
                }
            }
        } catch (IOException e) {
            if (Files.exists(status)) {
                throw e;
            }
            // The thread has terminated: ENOENT on open, or ESRCH on a read after the open.
            return 0;
        }
        return sum;
    }

    private static long bytesOfOtherThreads() {
        ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        long own = Thread.currentThread().getId();
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            // Negative for a thread that has ended meanwhile.
            sum += id == own ? 0 : Math.max(threads.getThreadAllocatedBytes(id), 0);
        }
        return sum;
    }

    ServerFigures minus(ServerFigures before) {
        return new ServerFigures(switches - before.switches, bytes - before.bytes, cpuNanos - before.cpuNanos);
    }

    ServerFigures plus(ServerFigures more) {
        return new ServerFigures(switches + more.switches, bytes + more.bytes, cpuNanos + more.cpuNanos);
    }

    /** {@return the line that {@link #parse} reads} */
    String line() {
        return switches + " " + bytes + " " + cpuNanos;
    }

    static ServerFigures parse(String line) {
        String[] figures = line.split(" ");
        return new ServerFigures(Double.parseDouble(figures[0]), Long.parseLong(figures[1]),
                Long.parseLong(figures[2]));
    }
}
