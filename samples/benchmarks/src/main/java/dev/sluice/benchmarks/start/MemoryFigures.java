package dev.sluice.benchmarks.start;

import dev.sluice.benchmarks.run.Host;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
        return Files.isReadable(PROC.resolve("self/status")) && Files.isExecutable(jcmd());
    }

    private static Path jcmd() {
        return Path.of(System.getProperty("java.home"), "bin", "jcmd");
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

    /** The histogram counts what is alive, and collects everything else for that. */
    private static long liveBytes(ProcessHandle process, Host host) throws IOException, InterruptedException {
        if (!isJava(process)) {
            return 0;
        }
        Process jcmd = host.start(new ProcessBuilder(jcmd().toString(), Long.toString(process.pid()),
                "GC.class_histogram").redirectErrorStream(true));
        List<String> lines;
        try {
            lines = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
            jcmd.waitFor();
        } finally {
            jcmd.destroyForcibly();
        }
        Optional<String> total = lines.stream().filter(line -> line.startsWith("Total")).findFirst();
        if (total.isEmpty()) {
            throw new IOException("jcmd tells nothing: " + (lines.isEmpty() ? "" : lines.get(lines.size() - 1)));
        }
        String[] columns = total.get().split("\\s+");
        return Long.parseLong(columns[columns.length - 1]);
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().map(command -> command.endsWith("/java")).orElse(false);
    }
}
