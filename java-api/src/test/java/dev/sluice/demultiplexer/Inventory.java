package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.handle.MemoryInUse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the process has in use.
 *
 * @param descriptors each with what it leads to; none where the system does not tell
 * @param threads     those that run
 * @param bytes       of native memory
 */
record Inventory(Map<Integer, String> descriptors, Set<Thread> threads, long bytes) {

    private static final Path LIST = Path.of("/proc/self/fd");
    private static final Path UNIX_SOCKETS = Path.of("/proc/net/unix");
    /**
     * They come and go as they please: of JNA, and of the JVM since somebody has started a program, such as JNA {@code
     * ldconfig}, or, from Java 26 on, has made a direct buffer, for all of which a thread without a name of its own
     * cleans up. The name of the second goes on with a process id while there is one to wait for.
     */
    private static final List<String> FOREIGN_THREADS = List.of("JNA Cleaner", "process reaper", "InnocuousThread");

    static Inventory take() throws IOException {
        return new Inventory(openDescriptors(), Thread.getAllStackTraces().keySet(), MemoryInUse.bytes());
    }

    /** Waits until no thread is left that was not there then: what it has borrowed is back when it has ended. */
    void awaitEndOfOtherThreads() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!threads.contains(thread) && FOREIGN_THREADS.stream().noneMatch(thread.getName()::startsWith)) {
                thread.join(DemultiplexerContract.PATIENCE.toMillis());
                assertTrue(!thread.isAlive(), () -> "thread leaked: " + thread);
            }
        }
    }

    boolean hasDescriptorsMoreThan(Inventory before) {
        return !without(descriptors, before.descriptors).isEmpty();
    }

    /** Compares with what was in use before. Memory may be less: of a demultiplexer that ends in the background. */
    void assertNoMoreThan(Inventory before) {
        assertEquals("", without(descriptors, before.descriptors), "descriptors leaked");
        assertEquals("", without(before.descriptors, descriptors), "descriptors closed that are not the test's own");
        assertTrue(bytes <= before.bytes, () -> bytes - before.bytes + " bytes of memory leaked");
    }

    private static String without(Map<Integer, String> these, Map<Integer, String> others) {
        return these.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(others.get(entry.getKey())))
                .map(entry -> entry.getKey() + " -> " + entry.getValue())
                .collect(Collectors.joining("\n"));
    }

    // The JVM opens files by itself whenever it pleases, but no pipe:[1], socket:[1] or anon_inode:[eventpoll].
    private static Map<Integer, String> openDescriptors() throws IOException {
        Map<Integer, String> links = new TreeMap<>();
        Set<String> attaching = attachSockets();
        if (Files.isDirectory(LIST)) {
            try (Stream<Path> descriptors = Files.list(LIST)) {
                for (Path descriptor : descriptors.toList()) {
                    String link = link(descriptor);
                    if (link.contains(":[") && !attaching.contains(link)) {
                        links.put(Integer.valueOf(descriptor.getFileName().toString()), link);
                    }
                }
            }
        }
        return links;
    }

    /** {@return the links of the sockets that the JVM serves tools such as jstack by, from the first such call on} */
    private static Set<String> attachSockets() throws IOException {
        if (!Files.isReadable(UNIX_SOCKETS)) {
            return Set.of();
        }
        String name = "/.java_pid" + ProcessHandle.current().pid();
        try (Stream<String> sockets = Files.lines(UNIX_SOCKETS, StandardCharsets.ISO_8859_1)) {
            // Its columns are: Num RefCount Protocol Flags Type St Inode Path.
            return sockets.filter(socket -> socket.contains(name))
                    .map(socket -> "socket:[" + socket.trim().split(" +")[6] + "]")
                    .collect(Collectors.toSet());
        }
    }

    private static String link(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
