package dev.sluice.handle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this process has open, each descriptor with what it leads to: on Linux, and on Windows; nothing elsewhere.
 */
public final class OpenDescriptors {

    private static final Path LIST = Path.of("/proc/self/fd");
    private static final Path UNIX_SOCKETS = Path.of("/proc/self/net/unix");

    // The JVM and JNA open these by themselves whenever they please: class path, libraries, container limits, random
    // numbers, and the file of libffi whose memory holds code.
    private static final List<String> OF_THE_JVM = List.of("/proc/", "/sys/", "/dev/");
    /** Made by mkostemp, O_TMPFILE or memfd_create, whichever JNA's library for this processor was built with. */
    private static final Pattern OF_LIBFFI = Pattern.compile("(.*/(ffi\\w+|#\\d+)|/memfd:libffi) \\(deleted\\)");

    private final Map<Integer, String> links;
    /** Null on other systems than Windows. */
    private final WindowsHandles handles;

    private OpenDescriptors(Map<Integer, String> links, WindowsHandles handles) {
        this.links = links;
        this.handles = handles;
    }

    /** Skips the test where handles are not among them. */
    public static void assumeShown() {
        assumeTrue(Bindings.current().os() != Platform.Os.WINDOWS, "nobody tells what a handle of Windows leads to");
    }

    /** {@return what is open now} */
    public static OpenDescriptors now() throws IOException {
        if (Platform.CURRENT.os() == Platform.Os.WINDOWS) {
            return new OpenDescriptors(new TreeMap<>(), WindowsHandles.now());
        }
        Map<Integer, String> links = new TreeMap<>();
        if (Files.isDirectory(LIST)) {
            try (Stream<Path> descriptors = Files.list(LIST)) {
                for (Path descriptor : descriptors.toList()) {
                    int number = Integer.parseInt(descriptor.getFileName().toString());
                    link(number).filter(link -> !isOfTheJvm(link)).ifPresent(link -> links.put(number, link));
                }
            }
        }
        return new OpenDescriptors(links, null);
    }

    /**
     * {@return what is open now, except files where these can be told from sockets, pipes and the like: the JVM opens
     * files whenever it pleases}
     */
    public static OpenDescriptors nowExceptFiles() throws IOException {
        OpenDescriptors all = now();
        all.links.values().removeIf(link -> !link.contains(":["));
        return all;
    }

    /**
     * {@return what the descriptor leads to, such as {@code socket:[4711]}, on Windows the type of that; empty if it is
     * not open}
     */
    public static Optional<String> link(int descriptor) throws IOException {
        if (Platform.CURRENT.os() == Platform.Os.WINDOWS) {
            return WindowsHandles.now().type(descriptor);
        }
        try {
            return Optional.of(Files.readSymbolicLink(LIST.resolve(Integer.toString(descriptor))).toString());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    static boolean isOfTheJvm(String link) {
        return OF_THE_JVM.stream().anyMatch(link::startsWith) || link.endsWith(".jar") || link.endsWith(".so")
                || OF_LIBFFI.matcher(link).matches();
    }

    /** {@return those here that the others lack, one a line, empty if there is none} */
    public String without(OpenDescriptors others) {
        return handles == null ? linksWithout(others) : String.join("\n", handles.without(others.handles));
    }

    /**
     * {@return those here that the others lack, one a line, empty if there is none; on Windows neither events nor
     * threads, of which the JVM closes some by itself}
     */
    public String lackedBy(OpenDescriptors others) {
        return handles == null ? linksWithout(others) : String.join("\n", handles.lackedBy(others.handles));
    }

    private String linksWithout(OpenDescriptors others) {
        return links.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(others.links.get(entry.getKey())))
                .filter(entry -> !isOfTheAttachListener(entry.getValue()))
                .map(entry -> entry.getKey() + " -> " + entry.getValue())
                .collect(Collectors.joining("\n"));
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
