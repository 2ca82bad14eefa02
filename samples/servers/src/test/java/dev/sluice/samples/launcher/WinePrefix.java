package dev.sluice.samples.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Programs;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Wine prefix of one test class. It has links to Wine's libraries, where one as Wine makes it has 700 MB of copies,
 * and one server for all programs that the tests start: without, each start takes a second, and as the programs that
 * come with a new server keep the outputs of the first program open, its end is seen three seconds late.
 */
final class WinePrefix implements AutoCloseable {

    private static final List<String> LIBRARIES = List.of("/usr/lib/x86_64-linux-gnu/wine", "/usr/lib64/wine",
            "/usr/lib/wine", "/opt/wine-stable/lib64/wine", "/opt/wine-stable/lib/wine");

    /** The server ends so long after the last program, should the tests be killed. */
    private static final int SECONDS_WITHOUT_PROGRAMS = 20;

    private final Path directory;

    private WinePrefix(Path directory) {
        this.directory = directory;
    }

    /** The test is skipped where Wine or one of its parts is missing. */
    static WinePrefix create() throws Exception {
        for (String program : List.of("wine", "wineserver")) {
            assumeTrue(Programs.has(program), () -> "no " + program + " here");
        }
        Path libraries = LIBRARIES.stream().map(directory -> Path.of(directory, "x86_64-windows"))
                .filter(Files::isDirectory).findFirst().orElse(null);
        assumeTrue(libraries != null, "no libraries of Wine here");
        WinePrefix prefix = new WinePrefix(Files.createTempDirectory("sluice-launcher-"));
        prefix.link(libraries);
        prefix.runAlone("wineserver", "-p" + SECONDS_WITHOUT_PROGRAMS);
        // The programs that come with a new server now do not keep a test's outputs open.
        prefix.runAlone("wine", "cmd", "/c", "exit");
        return prefix;
    }

    private void link(Path libraries) throws IOException {
        Path system = Files.createDirectories(directory.resolve("drive_c/windows/system32"));
        try (Stream<Path> files = Files.list(libraries)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (name.endsWith(".dll") || name.equals("cmd.exe") || name.equals("conhost.exe")) {
                    Files.createSymbolicLink(system.resolve(name), file);
                }
            }
        }
        // Wine looks at this file to see whether the prefix must be made or updated.
        Files.writeString(directory.resolve(".update-timestamp"), "disable\n");
    }

    private void runAlone(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD);
        enter(builder);
        assertEquals(0, builder.start().waitFor(), () -> "exit code of " + builder.command());
    }

    /** Lets a process that is started by this builder use the prefix. */
    void enter(ProcessBuilder builder) {
        builder.environment().put("WINEPREFIX", directory.toString());
        builder.environment().put("WINEARCH", "win64");
        builder.environment().put("WINEDEBUG", "-all");
        // Where the server puts its socket, in a directory that it would leave behind elsewhere.
        builder.environment().put("TMPDIR", directory.toString());
        builder.environment().put("XDG_RUNTIME_DIR", directory.toString());
        builder.environment().remove("DISPLAY");
    }

    @Override
    public void close() throws Exception {
        runAlone("wineserver", "-k");
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
