package dev.sluice.wine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The host's files, in a temporary directory of this process: the program and a Wine prefix. A prefix as Wine makes it
 * takes seconds and 700 MB, nearly all of it copies of libraries; this one has links to the few that the calls need,
 * and is marked as complete.
 *
 * <p>The directory is removed after this process has ended, since it needs the host until its last shutdown hook has
 * run, or may be killed and run none: a shell waits until this process and then Wine have ended, and removes it.
 */
final class HostDirectory {

    // $0 is the wineserver, $1 the directory. An interrupt from a terminal is meant for the other processes.
    private static final String REMOVAL = "trap '' INT TERM HUP; cat; timeout 20 \"$0\" -w; rm -rf \"$1\"";
    private static final long COMPILE_SECONDS = 120;
    private static final List<String> LIBRARIES = List.of("advapi32", "kernel32", "kernelbase", "msvcrt", "mswsock",
            "ntdll", "sechost", "ucrtbase", "ws2_32");

    private final Path directory;

    private HostDirectory(Path directory) {
        this.directory = directory;
    }

    static HostDirectory create(WineInstallation wine) throws IOException {
        HostDirectory created = new HostDirectory(Files.createTempDirectory("sluice-wine-"));
        created.inPrefix("sh", "-c", REMOVAL, wine.server().toString(), created.directory.toString())
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        created.makePrefix(wine.libraries());
        created.compile(wine.compiler());
        return created;
    }

    /** {@return a process, not started yet, that finds the prefix} */
    ProcessBuilder inPrefix(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("WINEPREFIX", prefix().toString());
        builder.environment().put("WINEARCH", "win64");
        builder.environment().put("WINEDEBUG", "-all");
        // Where Wine's server would otherwise put its socket, in a directory that nobody removes.
        builder.environment().put("TMPDIR", directory.toString());
        builder.environment().put("XDG_RUNTIME_DIR", directory.toString());
        builder.environment().remove("DISPLAY");
        return builder;
    }

    Path program() {
        return directory.resolve("host.exe");
    }

    private Path prefix() {
        return directory.resolve("prefix");
    }

    /** {@return where the host's standard error goes} */
    Path errors() {
        return directory.resolve("errors");
    }

    private void makePrefix(Path libraries) throws IOException {
        Path system = Files.createDirectories(prefix().resolve("drive_c/windows/system32"));
        for (String library : LIBRARIES) {
            Files.createSymbolicLink(system.resolve(library + ".dll"), libraries.resolve(library + ".dll"));
        }
        // Wine looks at this file to see whether the prefix must be made or updated.
        Files.writeString(prefix().resolve(".update-timestamp"), "disable\n");
    }

    private void compile(Path compiler) throws IOException {
        Path source = directory.resolve("host.c");
        try (InputStream text = HostDirectory.class.getResourceAsStream("host.c")) {
            Files.copy(text, source);
        }
        // As a GUI program, or Wine starts a console with it.
        Process compilation = new ProcessBuilder(compiler.toString(), "-O2", "-mwindows", "-o", program().toString(),
                source.toString()).redirectErrorStream(true).redirectOutput(errors().toFile()).start();
        try {
            if (!compilation.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) || compilation.exitValue() != 0) {
                throw new IOException(compiler + " does not compile the Win32 host: " + Files.readString(errors()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while compiling the Win32 host", e);
        } finally {
            compilation.destroyForcibly();
        }
    }
}
