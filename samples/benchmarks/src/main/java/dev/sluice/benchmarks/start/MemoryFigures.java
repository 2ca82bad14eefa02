package dev.sluice.benchmarks.start;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.LiveHeap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The memory of a process and its children, in bytes.
 *
 * @param resident what is in memory, with the whole heap if that has been touched at the start
 * @param heap     what lives on the heap of a Java, after a collection; 0 of other programs
 */
record MemoryFigures(long resident, long heap) {

    private static final Path PROC = Path.of("/proc");
    private static final String RESIDENT = "VmRSS:";
    private static final int KIB = 1024;

    /** {@return whether this system tells, and this Java can ask another one} */
    static boolean areTold() {
        return Files.isReadable(PROC.resolve("self/status")) && LiveHeap.isTold();
    }

    static MemoryFigures of(long pid, Host host) throws IOException, InterruptedException {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow(() -> new IOException("the server has ended"));
        long heap = 0;
        for (ProcessHandle each : everyone(process)) {
            heap += liveBytes(each, host);
        }
        long resident = 0;
        for (ProcessHandle each : everyone(process)) {
            resident += resident(each.pid());
        }
        return new MemoryFigures(resident, heap);
    }

    private static List<ProcessHandle> everyone(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants()).toList();
    }

    private static long resident(long pid) throws IOException {
        for (String line : Files.readAllLines(PROC.resolve(pid + "/status"))) {
            if (line.startsWith(RESIDENT)) {
                return Long.parseLong(line.replaceAll("\\D", "")) * KIB;
            }
        }
        throw new IOException("process " + pid + " has no memory");
    }

    private static long liveBytes(ProcessHandle process, Host host) throws IOException, InterruptedException {
        if (!isJava(process)) {
            return 0;
        }
        return LiveHeap.bytes(process.pid(), host);
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().map(command -> command.endsWith("/java")).orElse(false);
    }
}
