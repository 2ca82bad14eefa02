package dev.sluice.testing;

import java.io.File;
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

/** The descriptors that this process has open on Linux, each with what it leads to; none on other systems. */
public final class DescriptorLinks {

    private static final String FOLDER = "/proc/self/fd/";
    private static final File LIST = new File(FOLDER);
    private static final Path UNIX_SOCKETS = Path.of("/proc/self/net/unix");

    // The JVM and JNA open these by themselves at any time: class path, libraries, container limits, random numbers,
    // and the file of libffi whose memory holds code.
    private static final List<String> OF_THE_JVM = List.of("/proc/", "/sys/", "/dev/");
    private static final String DELETED = " (deleted)";
    /** Made by mkostemp, O_TMPFILE or memfd_create, whichever JNA's library for this processor was built with. */
    private static final Pattern OF_LIBFFI = Pattern.compile("(.*/(ffi\\w+|#\\d+)|/memfd:libffi) \\(deleted\\)");

    static {
        // The JDK's channels keep a socket of their own open from their first use on.
        try {
            if (LIST.isDirectory()) {
                Files.newByteChannel(Path.of("/dev/null")).close();
            }
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Map<Integer, String> links;

    private DescriptorLinks(Map<Integer, String> links) {
        this.links = links;
    }

    /** {@return what is open now} */
    public static DescriptorLinks now() throws IOException {
        Map<Integer, String> links = new TreeMap<>();
        // Names cost less than paths, and there is a look before and after each of thousands of tests.
        String[] descriptors = LIST.list();
        for (String descriptor : descriptors == null ? new String[0] : descriptors) {
            int number = Integer.parseInt(descriptor);
            of(number).filter(link -> !isOfTheJvm(link)).ifPresent(link -> links.put(number, link));
        }
        return new DescriptorLinks(links);
    }

    /** {@return these, except files: the JVM opens files at any time} */
    public DescriptorLinks exceptFiles() {
        Map<Integer, String> others = new TreeMap<>(links);
        others.values().removeIf(link -> !link.contains(":["));
        return new DescriptorLinks(others);
    }

    /** {@return what the descriptor leads to, such as {@code socket:[4711]}; empty if it is not open} */
    public static Optional<String> of(int descriptor) throws IOException {
        try {
            return Optional.of(Files.readSymbolicLink(Path.of(FOLDER + descriptor)).toString());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** {@return those here that the others lack, one a line, empty if there is none} */
    public String without(DescriptorLinks others) {
        return links.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(others.links.get(entry.getKey())))
                .filter(entry -> !isOfTheAttachListener(entry.getValue()))
                .map(entry -> entry.getKey() + " -> " + entry.getValue())
                .collect(Collectors.joining("\n"));
    }

    static boolean isOfTheJvm(String link) {
        // Most links are no paths, but lead to sockets, pipes and the like.
        return link.startsWith("/") && (OF_THE_JVM.stream().anyMatch(link::startsWith) || link.endsWith(".jar")
                || link.endsWith(".so") || link.endsWith(DELETED) && OF_LIBFFI.matcher(link).matches());
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
