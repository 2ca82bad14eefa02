package dev.sluice.samples.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import dev.sluice.windows.WindowsJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A sample in a JVM for Windows, started as the launcher starts it: by the module path that the build has made. */
final class WindowsSample implements AutoCloseable {

    private static final Path MODULES = Repository.root().resolve("samples/servers/target/modules");

    /** What the name of the file begins with that HotSpot makes, and whose name ends with the number of the process. */
    private static final String PID = "pid-";

    private final WindowsJvm jvm;
    private final SampleProcess process;
    private final Path directory;

    private WindowsSample(WindowsJvm jvm, SampleProcess process, Path directory) {
        this.jvm = jvm;
        this.process = process;
        this.directory = directory;
    }

    /**
     * Starts one.
     *
     * @param jvm       to start it in
     * @param options   of the JVM
     * @param arguments the name of the sample, and its arguments
     */
    static WindowsSample start(WindowsJvm jvm, List<String> options, String... arguments) throws IOException {
        Path directory = jvm.newDirectory();
        List<String> command = new ArrayList<>(List.of(jvm.program().toString()));
        command.add("-Xlog:os=error:file=" + PID + "%p");
        command.addAll(options);
        if (jvm.feature() >= 22) {
            command.add("--enable-native-access=dev.sluice.ffm,com.sun.jna,org.xerial.sqlitejdbc");
        }
        command.addAll(List.of("-p", jvm.windowsPath(MODULES), "-m", "dev.sluice.samples/dev.sluice.samples.Main"));
        command.addAll(List.of(arguments));
        return new WindowsSample(jvm, SampleProcess.start(jvm.enter(new ProcessBuilder(command).directory(
                directory.toFile()))), directory);
    }

    SampleProcess process() {
        return process;
    }

    /** {@return the address that the server has, once it accepts connections} */
    InetSocketAddress awaitAddress() throws InterruptedException {
        return process.awaitAddress();
    }

    /** {@return the number that the process has in Windows, which is another one than this system's} */
    String pid() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith(PID)).findFirst()
                    .orElseThrow().substring(PID.length());
        }
    }

    /**
     * Runs a program of Windows until its end.
     *
     * @param command the program and its arguments
     * @return what it printed to standard output
     */
    String run(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("wine"));
        all.addAll(List.of(command));
        try (SampleProcess program = SampleProcess.start(jvm.enter(new ProcessBuilder(all).directory(
                directory.toFile())))) {
            assertEquals(0, program.awaitExit(), program.errors()::text);
            return program.output().text();
        }
    }

    /** Ends the server by Ctrl-C, which is what Wine makes of this signal, and looks that it ends in order. */
    void stop() throws Exception {
        process.interrupt();
        awaitOrderlyEnd();
    }

    /** Waits until the server has ended, which says nothing but what it is asked to. */
    void awaitOrderlyEnd() throws InterruptedException {
        assertEquals(0, process.awaitExit(), process.errors()::text);
        List<String> complaints = process.errors().lines().stream()
                .filter(line -> !line.contains(" INFO ") && !line.isBlank()).toList();
        assertEquals(List.of(), complaints, process.errors()::text);
    }

    @Override
    public void close() throws IOException {
        process.close();
        WindowsJvm.delete(directory);
    }
}
