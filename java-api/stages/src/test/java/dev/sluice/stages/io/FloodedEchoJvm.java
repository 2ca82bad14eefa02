package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.WatchedJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The JVM of a {@link FloodedEcho}. It ends with the first allocation for which its 64 MiB of heap do not suffice. */
final class FloodedEchoJvm implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(200);
    private static final String PEAK = "VmHWM:";

    private final WatchedJvm jvm;

    FloodedEchoJvm(List<String> arguments) throws IOException {
        jvm = new WatchedJvm(TIMEOUT, List.of("-XX:+UseSerialGC", "-Xmx64m", "-XX:MaxDirectMemorySize=64m",
                "-XX:+ExitOnOutOfMemoryError"), FloodedEcho.class, arguments);
    }

    /** {@return what follows a word in the next line that it says} */
    String line(String word) throws InterruptedException {
        String line = jvm.line();
        assertTrue(line.startsWith(word), jvm::output);
        return line.substring(word.length());
    }

    /** {@return the most memory that it has had, in KiB} */
    long peak() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + jvm.process().pid() + "/status")).stream()
                .filter(line -> line.startsWith(PEAK))
                .mapToLong(line -> Long.parseLong(line.substring(PEAK.length()).replace("kB", "").strip()))
                .findFirst().orElseThrow(() -> new AssertionError("it has ended\n" + jvm.output()));
    }

    void requestEnd() throws IOException {
        jvm.process().getOutputStream().close();
    }

    void awaitEnd() throws InterruptedException {
        jvm.awaitEnd();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
