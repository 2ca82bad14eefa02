package dev.sluice.samples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What Linux tells about a running process. */
public record ProcessFigures(ProcessHandle process) {

    Path proc(String name) {
        return Path.of("/proc", Long.toString(process.pid()), name);
    }

    /** {@return a field of {@code /proc/PID/status}} */
    public String status(String field) throws IOException {
        return field(proc("status"), field);
    }

    private static String field(Path status, String field) throws IOException {
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(field + ":"))
                    .map(line -> line.substring(field.length() + 1).strip())
                    .findFirst().orElseThrow();
        }
    }

    /** {@return memory in use, in MiB} */
    public long residentMebibytes() throws IOException {
        return Long.parseLong(status("VmRSS").replace(" kB", "")) / 1024;
    }

    /** {@return how many sockets are open} */
    public long openSockets() throws IOException {
        long sockets = 0;
        try (Stream<Path> descriptors = Files.list(proc("fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                sockets += isSocket(descriptor) ? 1 : 0;
            }
        }
        return sockets;
    }

    private static boolean isSocket(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    public Duration cpuTime() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** {@return whether none of the threads whose names begin so runs, or would if it had a CPU} */
    public boolean isAsleep(String... prefixes) throws IOException {
        for (Path thread : threads()) {
            String name = nameOf(thread);
            if (Stream.of(prefixes).anyMatch(name::startsWith)
                    && !field(thread.resolve("status"), "State").startsWith("S")) {
                return false;
            }
        }
        return true;
    }

    // The virtual machine ends threads of its own whenever it likes.
    private static String nameOf(Path thread) throws IOException {
        try {
            return Files.readString(thread.resolve("comm")).strip();
        } catch (IOException e) {
            if (Files.exists(thread)) {
                throw e;
            }
            return "";
        }
    }

    private List<Path> threads() throws IOException {
        try (Stream<Path> tasks = Files.list(proc("task"))) {
            return tasks.toList();
        }
    }

    /** {@return how many threads have names that begin so} */
    public int countOfThreads(String prefix) throws IOException {
        int count = 0;
        for (Path thread : threads()) {
            count += nameOf(thread).startsWith(prefix) ? 1 : 0;
        }
        return count;
    }

    /** {@return how often each thread whose name begins so has given its CPU away to wait} */
    public Map<String, Long> waitsOfThreads(String prefix) throws IOException {
        Map<String, Long> waits = new TreeMap<>();
        for (Path thread : threads()) {
            String name = nameOf(thread);
            if (name.startsWith(prefix)) {
                waits.put(name, Long.parseLong(field(thread.resolve("status"), "voluntary_ctxt_switches")));
            }
        }
        return waits;
    }
}
