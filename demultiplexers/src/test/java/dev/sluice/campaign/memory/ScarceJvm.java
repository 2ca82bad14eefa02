package dev.sluice.campaign.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.SmallJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The JVM of a {@link ScarceServer}. */
final class ScarceJvm implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int LINES_KEPT = 400;
    private static final int STACKS_MILLIS = 2_000;

    private final Process process;
    private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final List<String> output = new ArrayList<>();
    private final Thread reader = new Thread(this::read, "reads what the server says");

    ScarceJvm(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Xmx24m", "-XX:MaxDirectMemorySize=24m"));
        if (Runtime.version().feature() > 17) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-Dsluice.native=" + Bindings.current().name(), "-cp",
                System.getProperty("java.class.path"), ScarceServer.class.getName()));
        command.addAll(arguments);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(SmallJvm.MARK)) {
                    said.add(line.substring(SmallJvm.MARK.length()));
                }
                synchronized (output) {
                    output.add(line);
                    if (output.size() > LINES_KEPT) {
                        output.remove(0);
                    }
                }
            }
        } catch (IOException e) {
            said.add(e.toString());
        }
    }

    /** {@return what the server says next} */
    String line() throws InterruptedException {
        for (long end = System.nanoTime() + PATIENCE.toNanos(); System.nanoTime() < end;) {
            String line = said.poll(100, TimeUnit.MILLISECONDS);
            if (line != null) {
                return line;
            }
            if (!process.isAlive() && said.isEmpty()) {
                break;
            }
        }
        throw new AssertionError("the server says nothing");
    }

    /** Waits until it has ended by itself. */
    void awaitEnd() throws InterruptedException {
        assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "the server does not end");
        assertEquals(0, process.exitValue());
    }

    /** {@return the last that it has printed, and where its threads are, if it is still there} */
    String output() throws IOException, InterruptedException {
        if (process.isAlive()) {
            // Its threads are printed to its output by the JVM itself, which needs no heap for that.
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
            Thread.sleep(STACKS_MILLIS);
        }
        synchronized (output) {
            return String.join("\n", output);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
