package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The logging sample, writing to a file. */
final class LoggingSample implements AutoCloseable {

    private final RunningSample process;
    private final Path file;

    private LoggingSample(RunningSample process, Path file) {
        this.process = process;
        this.file = file;
    }

    static LoggingSample start(Path directory, String... options) throws IOException {
        Path file = directory.resolve("log");
        return new LoggingSample(command(file, options).start(), file);
    }

    /** Starts it in a process of its own, so that it can be suspended. */
    static LoggingSample startProcess(Path directory, String... options) throws IOException {
        Path file = directory.resolve("log");
        return new LoggingSample(command(file, options).startProcess(), file);
    }

    private static SampleCommand command(Path file, String... options) {
        return SampleCommand.of(Stream.concat(Stream.of("logging", "--port", "0", "--file", file.toString()),
                Stream.of(options)).toArray(String[]::new));
    }

    RunningSample process() {
        return process;
    }

    InetSocketAddress address() throws InterruptedException {
        return process.awaitAddress();
    }

    SyslogClient connect() throws Exception {
        return new SyslogClient(address());
    }

    List<String> lines() throws IOException {
        String text = Files.readString(file, UTF_8);
        assertTrue(text.isEmpty() || text.endsWith("\n"), "a line is cut");
        return text.lines().toList();
    }

    /** Waits until the file is this long at least. */
    void awaitSize(long bytes) throws Exception {
        Patience.until(() -> bytes + " bytes in the file, which has " + file.toFile().length(),
                () -> Files.size(file) >= bytes);
    }

    /** Waits until the file has these lines and no others. */
    void awaitLines(String... expected) throws Exception {
        long size = 0;
        for (String line : expected) {
            size += line.getBytes(UTF_8).length + 1;
        }
        awaitSize(size);
        assertEquals(List.of(expected), lines());
    }

    void suspend() throws Exception {
        ((SampleProcess) process).suspend();
    }

    void resume() throws Exception {
        ((SampleProcess) process).resume();
    }

    /** Asks it to stop, and returns what it counted. */
    String stop() throws Exception {
        process.stop();
        List<String> said = process.errors().lines();
        String last = said.get(said.size() - 1);
        assertTrue(last.contains(" records accepted"), () -> "the counts are not the last line:\n"
                + String.join("\n", said));
        return last.substring(last.indexOf(" - ") + 3);
    }

    @Override
    public void close() {
        process.close();
    }
}
