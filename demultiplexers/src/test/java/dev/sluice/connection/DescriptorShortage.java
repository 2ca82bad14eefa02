package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;

/**
 * A real lack of descriptors, for mechanisms whose calls are made by the kernel and cannot be spoiled. The limit of
 * this process is lowered by prlimit(1), then all that is left is used up.
 */
public final class DescriptorShortage implements AutoCloseable {

    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LIMIT = "Max open files";
    private static final Path NULL = Path.of("/dev/null");
    private static final String CLASS = ".class";
    private static final int LOW = 1024;

    private final Deque<FileHandle> taken = new ArrayDeque<>();
    private final String before;

    public DescriptorShortage() throws IOException {
        assumeTrue(Files.exists(PRLIMIT) && Files.exists(LIMITS), "needs prlimit(1)");
        before = softLimit();
        limit(String.valueOf(LOW));
    }

    private static String softLimit() throws IOException {
        // Not by a channel, with the first of which Java 17 opens a socket for itself.
        try (BufferedReader lines = new BufferedReader(new FileReader(LIMITS.toFile()))) {
            return lines.lines()
                    .filter(line -> line.startsWith(LIMIT))
                    .map(line -> line.substring(LIMIT.length()).trim().split(" ")[0])
                    .findFirst().orElseThrow();
        }
    }

    private static void limit(String soft) throws IOException {
        Process process = new ProcessBuilder(PRLIMIT.toString(), "--pid",
                String.valueOf(ProcessHandle.current().pid()), "--nofile=" + soft + ":").inheritIO().start();
        assertEquals(0, process.onExit().join().exitValue());
    }

    /** Loads all classes of a directory now, since the virtual machine needs a descriptor for each. */
    public static void loadClassesBeside(Class<?> known) throws Exception {
        Path root = Path.of(known.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (!Files.isDirectory(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.map(root::relativize).toList()) {
                String name = file.toString();
                if (name.endsWith(CLASS) && !name.contains("-info")) {
                    String className = name.substring(0, name.length() - CLASS.length()).replace('/', '.');
                    Class.forName(className, false, known.getClassLoader());
                }
            }
        }
    }

    /** Takes all that are left. */
    public void begin() throws IOException {
        while (true) {
            try {
                taken.push(FileHandle.open(NULL, StandardOpenOption.READ));
            } catch (SystemCallException e) {
                assertEquals("EMFILE", e.errorName());
                return;
            }
        }
    }

    /** Gives some back. */
    public void allow(int count) {
        for (int i = 0; i < count; i++) {
            taken.pop().close();
        }
    }

    /** Gives all back. */
    public void end() {
        while (!taken.isEmpty()) {
            taken.pop().close();
        }
    }

    @Override
    public void close() throws IOException {
        end();
        limit(before);
    }
}
