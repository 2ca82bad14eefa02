package dev.sluice.calls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What this process has open, each descriptor with what it leads to; nothing where the system does not tell. */
final class OpenDescriptors {

    private static final Path LIST = Path.of("/proc/self/fd");
    private static final Path UNIX_SOCKETS = Path.of("/proc/self/net/unix");

    private static final List<String> OUTSIDE = List.of("/proc/", "/sys/", "/dev/");

    private final Map<Integer, String> links;

    private OpenDescriptors(Map<Integer, String> links) {
        this.links = links;
    }

    static OpenDescriptors now() throws IOException {
        Map<Integer, String> links = new TreeMap<>();
        if (Files.isDirectory(LIST)) {
            // The JDK's channels keep a socket of their own open from their first use on.
            Files.newByteChannel(Path.of("/dev/null")).close();
            try (Stream<Path> descriptors = Files.list(LIST)) {
                for (Path descriptor : descriptors.toList()) {
                    Integer number = Integer.valueOf(descriptor.getFileName().toString());
                    link(descriptor).ifPresent(link -> links.put(number, link));
                }
            }
        }
        return new OpenDescriptors(links);
    }

    /** {@return those here that the others lack, one a line, empty if there is none} */
    String without(OpenDescriptors others) {
        return links.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(others.links.get(entry.getKey())))
                .filter(entry -> !isOfTheAttachListener(entry.getValue()))
                .map(entry -> entry.getKey() + " -> " + entry.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static Optional<String> link(Path descriptor) throws IOException {
        try {
            String link = Files.readSymbolicLink(descriptor).toString();
            return isOfTheJvm(link) ? Optional.empty() : Optional.of(link);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    // The JVM opens these by itself whenever it pleases: class path, libraries, container limits, random numbers.
    private static boolean isOfTheJvm(String link) {
        return link.endsWith(".jar") || link.endsWith(".so") || OUTSIDE.stream().anyMatch(link::startsWith);
    }

    // What attaches to the JVM, such as jstack, makes it listen from then on. The socket is found by the path it was
    // bound to; a connection that it has accepted has the same.
    private static boolean isOfTheAttachListener(String link) {
        try (Stream<String> sockets = Files.lines(UNIX_SOCKETS, StandardCharsets.ISO_8859_1)) {
            return sockets.map(line -> line.trim().split(" +", 8))
                    .anyMatch(fields -> fields.length == 8 && link.equals("socket:[" + fields[6] + "]")
                            && fields[7].contains("/.java_pid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
