package dev.sluice.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What Linux tells about a running process.
 *
 * @param process      the process
 * @param otherThreads those that are not looked at
 */
public record ProcessFigures(ProcessHandle process, Set<Path> otherThreads) {

    public ProcessFigures(ProcessHandle process) {
        this(process, Set.of());
    }

    /** {@return those of the process that runs the tests, and samples in it} */
    public static ProcessFigures ofThisJvm() {
        return new ProcessFigures(ProcessHandle.current());
    }

    /**
     * {@return those of the process that runs the tests, but for the threads that it has now: a sample that starts next
     * has others, while some of one that has ended may still be there}
     */
    static ProcessFigures ofThisJvmFromNowOn() {
        ProcessFigures whole = ofThisJvm();
        try {
            return Files.isDirectory(whole.proc("task"))
                    ? new ProcessFigures(whole.process, Set.copyOf(whole.threads())) : whole;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path proc(String name) {
        return Path.of("/proc", Long.toString(process.pid()), name);
    }

    /** {@return a field of {@code /proc/PID/status}} */
    public String status(String field) throws IOException {
        return field(proc("status"), field);
    }

    /** {@return whether a signal that is sent to it comes to nothing} */
    public boolean ignores(int signal) throws IOException {
        return new BigInteger(status("SigIgn"), 16).testBit(signal - 1);
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

    /** {@return the number of sockets open} */
    public long openSockets() throws IOException {
        return descriptors(link -> link.startsWith("socket:")).size();
    }

    /** {@return the number of descriptors open that lead to no file; virtual machines open files as they please} */
    public long openDescriptors() throws IOException {
        return descriptors().size();
    }

    /** {@return where open descriptors lead, but for those that lead to a file} */
    public List<String> descriptors() throws IOException {
        return descriptors(link -> !link.startsWith("/"));
    }

    private List<String> descriptors(Predicate<String> wanted) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(proc("fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                leadsTo(descriptor).filter(wanted).ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<String> leadsTo(Path descriptor) throws IOException {
        try {
            return Optional.of(Files.readSymbolicLink(descriptor).toString());
        } catch (NoSuchFileException e) {
            return Optional.empty();
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
                    && !fieldOf(thread, "State").orElse("S").startsWith("S")) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether a signal has stopped each of its threads} */
    public boolean isSuspended() throws IOException {
        for (Path thread : threads()) {
            if (!fieldOf(thread, "State").orElse("T").startsWith("T")) {
                return false;
            }
        }
        return true;
    }

    private static String nameOf(Path thread) throws IOException {
        return unlessEnded(thread, () -> Files.readString(thread.resolve("comm")).strip()).orElse("");
    }

    private static Optional<String> fieldOf(Path thread, String field) throws IOException {
        return unlessEnded(thread, () -> field(thread.resolve("status"), field));
    }

    private interface Reading {
        String read() throws IOException;
    }

    // The virtual machine ends threads of its own whenever it likes.
    private static Optional<String> unlessEnded(Path thread, Reading reading) throws IOException {
        try {
            return Optional.of(reading.read());
        } catch (IOException | UncheckedIOException e) {
            if (Files.exists(thread)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private List<Path> threads() throws IOException {
        try (Stream<Path> tasks = Files.list(proc("task"))) {
            return tasks.filter(thread -> !otherThreads.contains(thread)).toList();
        }
    }

    /** {@return how many threads have names that begin so} */
    public int countOfThreads(String prefix) throws IOException {
        return idsOfThreads(prefix).size();
    }

    /** {@return the system's numbers of the threads whose names begin so} */
    public List<String> idsOfThreads(String prefix) throws IOException {
        List<String> ids = new ArrayList<>();
        for (Path thread : threads()) {
            if (nameOf(thread).startsWith(prefix)) {
                ids.add(thread.getFileName().toString());
            }
        }
        return ids;
    }

    /** {@return how often each thread whose name begins so has given its CPU away to wait} */
    public Map<String, Long> waitsOfThreads(String prefix) throws IOException {
        Map<String, Long> waits = new TreeMap<>();
        for (Path thread : threads()) {
            String name = nameOf(thread);
            if (name.startsWith(prefix)) {
                fieldOf(thread, "voluntary_ctxt_switches").ifPresent(count -> waits.put(name, Long.valueOf(count)));
            }
        }
        return waits;
    }
}
