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
 * A separate JVM for a program under a campaign, with the class path and the binding of this one. Its lines that begin
 * with {@link SmallJvm#MARK} are messages to the campaign; the rest is kept for the message of a failure.
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
     * @param patience  the time limit for each message and for the end
     * @param options   of the JVM
     * @param main      the program
     * @param arguments of the program
     */
    public WatchedJvm(Duration patience, List<String> options, Class<?> main, List<String> arguments)
            throws IOException {
        this(patience, List.of(), options, main, arguments);
    }

    /**
     * Starts it by another program, which becomes the JVM.
     *
     * @param patience  the time limit for each message and for the end
     * @param starter   the words of the command before those of the JVM
     * @param options   of the JVM
     * @param main      the program
     * @param arguments of the program
     */
    public WatchedJvm(Duration patience, List<String> starter, List<String> options, Class<?> main,
            List<String> arguments) throws IOException {
        this.patience = patience;
        List<String> command = new ArrayList<>(starter);
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

    /** {@return the next message} */
    public String line() throws InterruptedException {
        for (long end = System.nanoTime() + patience.toNanos(); System.nanoTime() - end < 0;) {
            boolean mayContinue = process.isAlive() || reader.isAlive();
            String line = said.poll(100, TimeUnit.MILLISECONDS);
            if (line != null) {
                return line;
            }
            assertTrue(mayContinue, () -> "it has ended\n" + output());
        }
        throw new AssertionError("it says nothing\n" + output());
    }

    /** Waits until it has ended by itself, successfully. */
    public void awaitEnd() throws InterruptedException {
        assertTrue(process.waitFor(patience.toSeconds(), TimeUnit.SECONDS), () -> "it does not end\n" + output());
        assertEquals(0, process.exitValue(), this::output);
    }

    public Process process() {
        return process;
    }

    /** {@return the end of its output} */
    public String output() {
        synchronized (output) {
            return String.join("\n", output);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            // Otherwise the garbage collector would, possibly during a test that counts descriptors.
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
