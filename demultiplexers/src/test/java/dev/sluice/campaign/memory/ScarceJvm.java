package dev.sluice.campaign.memory;

import dev.sluice.campaign.WatchedJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A JVM with little memory. */
final class ScarceJvm implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int STACKS_MILLIS = 2_000;

    private final WatchedJvm jvm;

    ScarceJvm(Class<?> main, List<String> arguments) throws IOException {
        jvm = new WatchedJvm(PATIENCE, List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx24m",
                "-XX:MaxDirectMemorySize=24m"), main, arguments);
    }

    /** {@return what the server says next} */
    String line() throws InterruptedException {
        return jvm.line();
    }

    /** Waits until it has ended by itself. */
    void awaitEnd() throws InterruptedException {
        jvm.awaitEnd();
    }

    /** {@return the last that it has printed, and where its threads are, if it is still there} */
    String output() throws IOException, InterruptedException {
        if (jvm.process().isAlive()) {
            // The JVM itself prints its threads to its output, which needs no heap, and does not report when it has
            // finished.
            new ProcessBuilder("kill", "-QUIT", Long.toString(jvm.process().pid())).start().waitFor();
            Thread.sleep(STACKS_MILLIS);
        }
        return jvm.output();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
