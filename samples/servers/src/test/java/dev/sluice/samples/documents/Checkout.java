package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.JavaHome;
import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * What a reader has who types what a document shows: this tree, with everything built, and a home. What a command
 * leaves behind stays out of both the tree and the home of the user who runs the tests.
 */
public final class Checkout implements AutoCloseable {

    private static final List<String> LINKS = List.of("sluice", "samples");

    private final Path directory;
    private final Path home;
    private final Path tools;

    public Checkout(Path parent) throws IOException {
        directory = Files.createDirectory(parent.resolve("sluice"));
        home = Files.createDirectory(parent.resolve("home"));
        tools = Files.createDirectory(parent.resolve("tools"));
        for (String name : LINKS) {
            Files.createSymbolicLink(directory.resolve(name), Repository.root().resolve(name));
        }
        // Should a source be saved this very moment, the launcher would want to build.
        Path maven = Files.writeString(tools.resolve("mvn"), "#!/bin/sh\nexit 1\n");
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    public Path directory() {
        return directory;
    }

    Path home() {
        return home;
    }

    /** {@return the arguments that a shell passes to the launcher} */
    List<String> arguments(Command command) throws IOException, InterruptedException {
        Command show = new Command("printf '%s\\n' " + command.text().substring(command.program().length()));
        try (SampleProcess shell = SampleProcess.start(shell(show))) {
            assertEquals(0, shell.awaitExit(), shell.errors()::text);
            return shell.output().lines();
        }
    }

    /** {@return what a shell makes of it, in the tree, when it is typed as it stands} */
    public ProcessBuilder shell(Command command) {
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", command.replacingTheShell()).directory(directory.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("HOME", home.toString());
        environment.put("SLUICE_JAVA_HOME", JavaHome.own().path().toString());
        // What matters to a short life on a busy machine is the start.
        environment.put("SLUICE_JAVA_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        environment.put("PATH", String.join(File.pathSeparator, tools.toString(),
                JavaHome.own().path().resolve("bin").toString(), environment.get("PATH")));
        return builder;
    }

    /** Removes the links: JUnit warns of each that it finds in a temporary directory. */
    @Override
    public void close() throws IOException {
        for (String name : LINKS) {
            Files.delete(directory.resolve(name));
        }
    }
}
