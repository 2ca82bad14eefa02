package dev.sluice.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.SmallJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own for a program that a campaign torments, with the class path and the binding of this one. What it
 * says to the campaign are lines that begin with {@link SmallJvm#MARK}; the rest is kept for the failure.
 */
public final class WatchedJvm implements AutoCloseable {

    private static final int LINES_KEPT = 400;

    private final Duration patience;
    private final Process process;
    private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final List<String> output = new ArrayList<>();
    private final Thread reader = new Thread(this::read, "reads what a JVM says");

    /**
     * Starts it.
     *
     * @param patience  how long it may take to say something, or to end
     * @param options   of the JVM
     * @param main      the program
     * @param arguments of the program
     */
    public WatchedJvm(Duration patience, List<String> options, Class<?> main, List<String> arguments)
            throws IOException {
        this.patience = patience;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        if (Runtime.version().feature() > 17) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-Dsluice.native=" + Bindings.current().name(), "-cp",
                System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(SmallJvm.MARK)) {
                    said.add(line.substring(SmallJvm.MARK.length()));
                }
                keep(line);
            }
        } catch (IOException e) {
            said.add(e.toString());
        }
    }

    private void keep(String line) {
        synchronized (output) {
            output.add(line);
            if (output.size() > LINES_KEPT) {
                output.remove(0);
            }
        }
    }

    /** {@return what it says next} */
    public String line() throws InterruptedException {
        for (long end = System.nanoTime() + patience.toNanos(); System.nanoTime() - end < 0;) {
            boolean mayGoOn = process.isAlive() || reader.isAlive();
            String line = said.poll(100, TimeUnit.MILLISECONDS);
            if (line != null) {
                return line;
            }
            assertTrue(mayGoOn, () -> "it has ended\n" + output());
        }
        throw new AssertionError("it says nothing\n" + output());
    }

    /** Waits until it has ended by itself, in peace. */
    public void awaitEnd() throws InterruptedException {
        assertTrue(process.waitFor(patience.toSeconds(), TimeUnit.SECONDS), () -> "it does not end\n" + output());
        assertEquals(0, process.exitValue(), this::output);
    }

    public Process process() {
        return process;
    }

    /** {@return the last that it has printed} */
    public String output() {
        synchronized (output) {
            return String.join("\n", output);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            // Or the collector would, in the middle of a test that counts descriptors.
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
