package dev.sluice.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A sample in a JVM for Windows, started as the launcher starts it: by the module path that the build has made. */
final class WindowsSample implements AutoCloseable {

    private static final Path MODULES = Repository.root().resolve("samples/target/modules");

    private final SampleProcess process;
    private final Path directory;

    private WindowsSample(SampleProcess process, Path directory) {
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
        command.addAll(options);
        if (jvm.feature() >= 22) {
            command.add("--enable-native-access=dev.sluice.ffm,com.sun.jna,org.xerial.sqlitejdbc");
        }
        command.addAll(List.of("-p", jvm.windowsPath(MODULES), "-m", "dev.sluice.samples/dev.sluice.samples.Main"));
        command.addAll(List.of(arguments));
        return new WindowsSample(SampleProcess.start(jvm.enter(new ProcessBuilder(command).directory(
                directory.toFile()))), directory);
    }

    SampleProcess process() {
        return process;
    }

    /** {@return the address that the server has, once it accepts connections} */
    InetSocketAddress awaitAddress() throws InterruptedException {
        return process.awaitAddress();
    }

    /** Ends the server by Ctrl-C, which is what Wine makes of this signal, and looks that it ends in order. */
    void stop() throws Exception {
        process.interrupt();
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
