package dev.sluice.samples.launcher;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.ModuleList;
import dev.sluice.samples.Programs;
import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A source tree with the real launcher in it, but with a Java that prints its arguments and a Maven that writes down
 * that it was called: tests of the launcher need neither.
 */
final class FakeTree implements AutoCloseable {

    private static final List<String> TOOLS =
            List.of("sh", "find", "head", "readlink", "dirname", "mkdir", "rmdir", "rm", "mv", "cat", "sleep", "ps",
                    "touch", "date");

    private final Path root;
    private final Path bin;

    FakeTree(Path directory) throws IOException {
        root = Files.createDirectory(directory.resolve("tree"));
        bin = Files.createDirectory(directory.resolve("bin"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(bin.resolve(tool), Programs.find(tool));
        }
        Files.copy(Repository.root().resolve("sluice"), launcher(), StandardCopyOption.COPY_ATTRIBUTES);
        write(".mvn/modules.txt", Files.readString(Repository.root().resolve(".mvn/modules.txt")));
        for (String module : ModuleList.all(root)) {
            write(module + "/pom.xml", "<project/>");
            write(module + "/src/main/java/A.java", "class A { }");
            write(module + "/src/test/java/ATest.java", "class ATest { }");
        }
        for (String pom : List.of("pom.xml", "native/pom.xml", "java-api/pom.xml")) {
            write(pom, "<project/>");
        }
        java(25);
    }

    /** Removes the links to the tools: JUnit warns of each that it finds in a temporary directory. */
    @Override
    public void close() throws IOException {
        for (String tool : TOOLS) {
            Files.delete(bin.resolve(tool));
        }
    }

    Path launcher() {
        return root.resolve("sluice");
    }

    Path path(String name) {
        return root.resolve(name);
    }

    void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Makes the one Java of this tree; the launcher finds it by SLUICE_JAVA_HOME. */
    void java(int feature) throws IOException {
        write("java/release", "IMPLEMENTOR=\"no vendor\"\nJAVA_VERSION=\"" + feature + ".0.1\"\n");
        script(root.resolve("java/bin/java"), "printf '%s\\n' \"$@\"");
    }

    Path javaHome() {
        return root.resolve("java");
    }

    /** Puts a Maven on the path. */
    void maven(String commands) throws IOException {
        script(bin.resolve("mvn"), "echo called >>'" + root + "/calls'\n" + commands);
    }

    /**
     * Makes the one Java of this tree write down how often it was to make an ahead-of-time cache, and runs this for the
     * second of the two steps, with the file's name in {@code $cache}.
     */
    void javaWithCache(int feature, String commands) throws IOException {
        java(feature);
        script(root.resolve("java/bin/java"), """
                case "$*" in
                    *AOTMode=record*) echo called >>'%1$s/rehearsals'; exit ;;
                    *AOTMode=create*)
                        for option in "$@"; do
                            case $option in
                                -XX:AOTCache=*) cache=${option#*=} ;;
                            esac
                        done
                        %2$s
                        exit ;;
                esac
                printf '%%s\\n' "$@"
                """.formatted(root, commands));
    }

    int rehearsals() throws IOException {
        return calls("rehearsals");
    }

    /** The ahead-of-time cache of Java 25 in this tree. */
    Path cache() {
        return root.resolve("samples/servers/target/modules/.start-25.0.1.aot");
    }

    /** What a Maven does that succeeds. */
    String build() {
        return "rm -rf '" + root + "/samples/servers/target/modules' && mkdir -p '" + root
                + "/samples/servers/target/modules' && touch '"
                + stamp() + "'";
    }

    /** What a Maven does that succeeds with the benchmarks. */
    String buildBenchmarks() {
        return "mkdir -p '" + benchmarksStamp().getParent() + "' && touch '" + benchmarksStamp() + "'";
    }

    int mavenCalls() throws IOException {
        return calls("calls");
    }

    private int calls(String file) throws IOException {
        Path calls = root.resolve(file);
        return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
    }

    Path stamp() {
        return root.resolve("samples/servers/target/modules/.built");
    }

    Path benchmarksStamp() {
        return root.resolve("samples/benchmarks/target/class-path/.built");
    }

    /** Says that the samples are built, after their last change, and that Java 25 could not make a cache of them. */
    void built() throws IOException {
        built(stamp());
        Files.writeString(cache(), "");
    }

    /** Says that the benchmarks are built, after their last change. */
    void benchmarksBuilt() throws IOException {
        built(benchmarksStamp());
    }

    private void built(Path stamp) throws IOException {
        write(root.relativize(stamp).toString(), "");
        Files.setLastModifiedTime(stamp, FileTime.from(Instant.now().plusSeconds(60)));
    }

    /** Says that this was changed after everything was built. */
    void changed(String name) throws IOException {
        Files.setLastModifiedTime(root.resolve(name), FileTime.from(Instant.now().plusSeconds(120)));
    }

    ProcessBuilder command(String... arguments) {
        return command(launcher(), arguments);
    }

    ProcessBuilder command(Path launcher, String... arguments) {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(root.getParent().toFile());
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().put("SLUICE_JAVA_HOME", javaHome().toString());
        return builder;
    }

    /**
     * As {@link #command(String...)}, but by a user who may read all of the tree and change none of it. The test is
     * skipped where this user cannot become another.
     */
    ProcessBuilder commandOfAStranger(String... arguments) throws Exception {
        Path directory = root.getParent();
        permit(directory, "rwxr-xr-x");
        if (Files.isWritable(Path.of("/"))) {
            assumeTrue(Programs.has("setpriv"), "no setpriv here");
            ProcessBuilder builder = command(arguments);
            builder.command().addAll(0, List.of(Programs.find("setpriv").toString(), "--reuid=65534", "--regid=65534",
                    "--clear-groups", "--"));
            return builder;
        }
        permit(root.resolve("samples/servers"), "r-xr-xr-x");
        if (Files.exists(root.resolve("samples/servers/target"))) {
            permit(root.resolve("samples/servers/target"), "r-xr-xr-x");
        }
        return command(arguments);
    }

    static void permit(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** Launches, expects this exit code, and returns the process with all it said. */
    static SampleProcess run(int exitCode, ProcessBuilder builder) throws Exception {
        SampleProcess process = SampleProcess.start(builder);
        try (process) {
            int code = process.awaitExit();
            if (code != exitCode) {
                fail("exit code " + code + ": " + process.errors().text());
            }
        }
        return process;
    }

    static void script(Path file, String commands) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + commands + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
